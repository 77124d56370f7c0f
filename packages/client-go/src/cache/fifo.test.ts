import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newFIFO } from "./fifo.ts";
import type { FIFO } from "./fifo.ts";
import { ErrRequeue, FifoClosedError } from "./queue.ts";

interface Thing {
  readonly id: string;
  readonly n: number;
}
const thing = (id: string, n = 0): Thing => ({ id, n });
const queueOf = (...things: readonly Thing[]): FIFO<Thing> => {
  const fifo = newFIFO<Thing>(({ id }) => id);
  for (const one of things) fifo.add(one);
  return fifo;
};
const nothing = (): void => undefined;

describe("a FIFO", () => {
  it("hands out each object once, in the order in which they came first, in the newest version", async () => {
    const fifo = queueOf(thing("a", 1), thing("b", 1), thing("a", 2));
    fifo.update(thing("b", 2));
    expect([await fifo.pop(nothing), await fifo.pop(nothing)]).toEqual([thing("a", 2), thing("b", 2)]);
    expect(fifo.listKeys()).toEqual([]);
  });
  it("does not hand out what was deleted meanwhile", async () => {
    const fifo = queueOf(thing("a"), thing("b"));
    fifo.delete(thing("a"));
    expect(await fifo.pop(nothing)).toEqual(thing("b"));
  });
  it("is a store of what waits", () => {
    const fifo = queueOf(thing("a", 1), thing("b", 2));
    expect([fifo.list(), fifo.get(thing("b")), fifo.getByKey("c")]).toEqual([[thing("a", 1), thing("b", 2)], thing("b", 2), undefined]);
  });
  it("waits until something comes", async () => {
    const fifo = queueOf();
    const popped = fifo.pop(nothing);
    fifo.add(thing("a"));
    expect(await popped).toEqual(thing("a"));
  });
  it("serves those who wait in the order they came, each one object", async () => {
    const fifo = queueOf();
    const first = fifo.pop(nothing);
    const second = fifo.pop(nothing);
    fifo.add(thing("a"));
    fifo.add(thing("b"));
    expect([await first, await second]).toEqual([thing("a"), thing("b")]);
  });
  it("lets a wait be called off, and loses nothing by it", async () => {
    const fifo = queueOf();
    const stop = new AbortController();
    const popped = fifo.pop(nothing, { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(popped).rejects.toThrow("enough");
    await expect(fifo.pop(nothing, { signal: stop.signal })).rejects.toThrow("enough");
    fifo.add(thing("a"));
    expect(await fifo.pop(nothing)).toEqual(thing("a"));
  });
  it("puts back what is to be requeued, unless something newer came", async () => {
    const fifo = queueOf(thing("a", 1));
    await expect(
      fifo.pop(() => {
        throw new ErrRequeue(new Error("later"));
      }),
    ).rejects.toThrow("later");
    expect(
      await fifo.pop(() => {
        throw new ErrRequeue();
      }),
    ).toEqual(thing("a", 1));
    await fifo.pop(() => {
      fifo.add(thing("a", 2));
      throw new ErrRequeue();
    });
    expect(await fifo.pop(nothing)).toEqual(thing("a", 2));
  });
  it("does not put back what failed otherwise", async () => {
    const fifo = queueOf(thing("a"));
    await expect(fifo.pop(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(fifo.list()).toEqual([]);
  });
  it("closes for good: those who wait are told, and what is in it can still be had", async () => {
    const fifo = queueOf(thing("a"));
    expect(fifo.isClosed()).toBe(false);
    fifo.close();
    expect(await fifo.pop(nothing)).toEqual(thing("a"));
    await expect(fifo.pop(nothing)).rejects.toBeInstanceOf(FifoClosedError);
    const waiting = queueOf();
    const popped = waiting.pop(nothing);
    waiting.close();
    await expect(popped).rejects.toBeInstanceOf(FifoClosedError);
  });
  it("hands out after a replacement what is in the list, and nothing else", async () => {
    const fifo = queueOf(thing("a"), thing("b"));
    fifo.replace([thing("b", 9), thing("c")]);
    expect([await fifo.pop(nothing), await fifo.pop(nothing)]).toEqual([thing("b", 9), thing("c")]);
    expect(fifo.list()).toEqual([]);
  });
  it("has synced when the first list has been handed out, or something came before any", async () => {
    const fifo = queueOf();
    expect(fifo.hasSynced()).toBe(false);
    fifo.replace([thing("a"), thing("b")]);
    fifo.delete(thing("b"));
    const initial: boolean[] = [];
    await fifo.pop((_item, isInInitialList) => void initial.push(isInInitialList));
    expect(fifo.hasSynced()).toBe(false);
    fifo.add(thing("c"));
    await fifo.pop((_item, isInInitialList) => void initial.push(isInInitialList));
    expect([fifo.hasSynced(), ...initial]).toEqual([true, true, false]);
    expect(queueOf(thing("a")).hasSynced()).toBe(true);
    const empty = queueOf();
    empty.replace([]);
    expect(empty.hasSynced()).toBe(true);
  });
  it("FIFO.resync leaves every object its turn: what is listed is handed out exactly once, after any sequence", async () => {
    const key = fc.constantFrom("a", "b", "c");
    const step = fc.oneof(
      fc.record({ verb: fc.constantFrom("add" as const, "update" as const, "delete" as const, "addIfNotPresent" as const), key }),
      fc.record({ verb: fc.constant("replace" as const), keys: fc.uniqueArray(key) }),
      fc.record({ verb: fc.constantFrom("resync" as const, "pop" as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const fifo = queueOf();
        for (const one of steps) {
          if (one.verb === "replace") fifo.replace(one.keys.map((name) => thing(name)));
          else if (one.verb === "resync") fifo.resync();
          else if (one.verb === "pop") await (fifo.listKeys().length === 0 ? undefined : fifo.pop(nothing));
          else if ("key" in one) fifo[one.verb](thing(one.key));
        }
        const listed = fifo.listKeys().toSorted();
        fifo.resync();
        const popped: string[] = [];
        for (const _ of listed) await fifo.pop((object) => void popped.push(object.id));
        expect([popped.toSorted(), fifo.listKeys()]).toEqual([listed, []]);
      }),
    );
  });
});
