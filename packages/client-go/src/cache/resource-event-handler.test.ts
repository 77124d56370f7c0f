import { describe, expect, it } from "vitest";
import { DeletedFinalStateUnknown } from "./deleted-final-state-unknown.ts";
import { filteringResourceEventHandler, resourceEventHandlerFuncs } from "./resource-event-handler.ts";

interface Thing {
  readonly n: number;
}

describe("a handler from functions", () => {
  it("may lack any of them", () => {
    const nothing = resourceEventHandlerFuncs<Thing>({});
    expect([nothing.onAdd({ n: 1 }, true), nothing.onUpdate({ n: 1 }, { n: 2 }), nothing.onDelete({ n: 1 })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
  it("tells additions whether they were there at the beginning", () => {
    const told: unknown[] = [];
    const handler = resourceEventHandlerFuncs<Thing>({ addFunc: (thing, isInInitialList) => void told.push(thing.n, isInInitialList) });
    void handler.onAdd({ n: 1 }, true);
    expect(told).toEqual([1, true]);
  });
});

describe("a filtering handler", () => {
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
    ["lets through what passes", () => even.onAdd({ n: 2 }, true), ["add 2 true"]],
    ["keeps back what does not", () => even.onAdd({ n: 1 }, true), []],
    ["tells an update of what passes before and after", () => even.onUpdate({ n: 2 }, { n: 4 }), ["update 2 4"]],
    ["tells an addition when it passes now", () => even.onUpdate({ n: 1 }, { n: 2 }), ["add 2 false"]],
    ["tells a deletion when it does not pass any more", () => even.onUpdate({ n: 2 }, { n: 1 }), ["delete 2"]],
    ["tells nothing when it never passed", () => even.onUpdate({ n: 1 }, { n: 3 }), []],
    ["tells deletions of what passed", () => even.onDelete({ n: 2 }), ["delete 2"]],
    [
      "looks at the last known state of what was deleted unseen",
      () => even.onDelete(new DeletedFinalStateUnknown("a", { n: 2 })),
      ["delete unknown a"],
    ],
    ["keeps back what was deleted unseen and did not pass", () => even.onDelete(new DeletedFinalStateUnknown("a", { n: 1 })), []],
    ["keeps back what nothing is known of", () => even.onDelete(new DeletedFinalStateUnknown<Thing>("a", undefined)), []],
  ])("%s", (_sentence, act, expected) => {
    told.length = 0;
    act();
    expect(told).toEqual(expected);
  });
});
