import { describe, expect, it } from "vitest";
import { DeletedFinalStateUnknown } from "./deleted-final-state-unknown.ts";
import { filteringResourceEventHandler, resourceEventHandlerFuncs } from "./resource-event-handler.ts";

interface Thing {
  readonly n: number;
}

describe("resourceEventHandlerFuncs", () => {
  it("accepts a handler without some of the functions", () => {
    const nothing = resourceEventHandlerFuncs<Thing>({});
    expect([nothing.onAdd({ n: 1 }, true), nothing.onUpdate({ n: 1 }, { n: 2 }), nothing.onDelete({ n: 1 })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
  it("passes isInInitialList to addFunc", () => {
    const told: unknown[] = [];
    const handler = resourceEventHandlerFuncs<Thing>({ addFunc: (thing, isInInitialList) => void told.push(thing.n, isInInitialList) });
    void handler.onAdd({ n: 1 }, true);
    expect(told).toEqual([1, true]);
  });
});

describe("filteringResourceEventHandler", () => {
  const told: string[] = [];
  const even = filteringResourceEventHandler<Thing>({
    filterFunc: ({ n }) => n % 2 === 0,
    handler: {
      onAdd: ({ n }, isInInitialList) => void told.push(`add ${n} ${isInInitialList}`),
      onUpdate: (before, { n }) => void told.push(`update ${before.n} ${n}`),
      onDelete: (thing) => void told.push(`delete ${thing instanceof DeletedFinalStateUnknown ? `unknown ${thing.key}` : thing.n}`),
    },
  });
  it.each<[string, () => unknown, string[]]>([
    ["passes on an object that passes the filter", () => even.onAdd({ n: 2 }, true), ["add 2 true"]],
    ["drops an object that does not", () => even.onAdd({ n: 1 }, true), []],
    ["reports an update when the object passes before and after", () => even.onUpdate({ n: 2 }, { n: 4 }), ["update 2 4"]],
    ["reports an addition when the object passes only after the update", () => even.onUpdate({ n: 1 }, { n: 2 }), ["add 2 false"]],
    ["reports a deletion when the object no longer passes", () => even.onUpdate({ n: 2 }, { n: 1 }), ["delete 2"]],
    ["drops an update of an object that never passed", () => even.onUpdate({ n: 1 }, { n: 3 }), []],
    ["reports the deletion of an object that passed", () => even.onDelete({ n: 2 }), ["delete 2"]],
    ["filters a tombstone by its last known state", () => even.onDelete(new DeletedFinalStateUnknown("a", { n: 2 })), ["delete unknown a"]],
    ["drops a tombstone whose last known state does not pass", () => even.onDelete(new DeletedFinalStateUnknown("a", { n: 1 })), []],
    ["drops a tombstone without a known state", () => even.onDelete(new DeletedFinalStateUnknown<Thing>("a", undefined)), []],
  ])("%s", (_sentence, act, expected) => {
    told.length = 0;
    act();
    expect(told).toEqual(expected);
  });
});
