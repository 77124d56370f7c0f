import { createRandom } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { memoryGround } from "./history-ground.ts";
import { LedgerStore } from "./ledger-store.ts";

const key = "/registry/configmaps/default/x";
const value = (text: string): string => JSON.stringify({ metadata: { name: "x", resourceVersion: "" }, data: { text } });
const content = (text: string): object => ({ metadata: { name: "x" }, data: { text } });

describe("LedgerStore", () => {
  it("records writes with the replaced value, and no refused ones", async () => {
    const store = new LedgerStore(memoryGround({ clock: new ManualClock() }));
    await store.put(key, value("1"), { expected: 0 });
    await store.put(key, value("?"), { expected: 0 });
    await store.put(key, value("2"), { expected: 2 });
    await store.delete(key, 3);
    expect(store.writes).toEqual([
      { revision: 2, id: "configmaps/default/x", before: undefined, after: content("1") },
      { revision: 3, id: "configmaps/default/x", before: content("1"), after: content("2") },
      { revision: 4, id: "configmaps/default/x", before: content("2"), after: undefined },
    ]);
  });

  it("starts again at the state to which its ground returns", async () => {
    const ground = memoryGround({ clock: new ManualClock() });
    const store = new LedgerStore(ground);
    await store.put(key, value("1"), { expected: 0 });
    const reset = await ground.mark();
    await store.delete(key, 2);
    await reset();
    expect(await store.begin(undefined)).toEqual({
      revision: 2,
      versions: new Map([["configmaps/default/x", { revision: 2, content: content("1") }]]),
    });
    expect(store.writes).toEqual([]);
  });

  it("delays calls, so that they overtake each other", async () => {
    const store = new LedgerStore(memoryGround({ clock: new ManualClock() }));
    await store.begin({ random: createRandom(1), turnsMax: 40 });
    const done: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await store.put(`${key}${index}`, value("1"), { expected: 0 });
        done.push(index);
      }),
    );
    expect(done).not.toEqual(done.toSorted((a, b) => a - b));
    expect(store.writes.map(({ revision }) => revision)).toEqual(Array.from({ length: 20 }, (_, index) => index + 2));
    expect(store.newest).toBe(21);
  });
});
