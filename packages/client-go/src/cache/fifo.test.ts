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

describe("FIFO", () => {
  it("pops each object once, in the order of the first adds, in the newest version", async () => {
    const fifo = queueOf(thing("a", 1), thing("b", 1), thing("a", 2));
    fifo.update(thing("b", 2));
    expect([await fifo.pop(nothing), await fifo.pop(nothing)]).toEqual([thing("a", 2), thing("b", 2)]);
    expect(fifo.listKeys()).toEqual([]);
  });
  it("does not pop an object that was deleted meanwhile", async () => {
    const fifo = queueOf(thing("a"), thing("b"));
    fifo.delete(thing("a"));
    expect(await fifo.pop(nothing)).toEqual(thing("b"));
  });
  it("lists what is queued", () => {
    const fifo = queueOf(thing("a", 1), thing("b", 2));
    expect([fifo.list(), fifo.get(thing("b")), fifo.getByKey("c")]).toEqual([[thing("a", 1), thing("b", 2)], thing("b", 2), undefined]);
  });
  it("pop waits for an object", async () => {
    const fifo = queueOf();
    const popped = fifo.pop(nothing);
    fifo.add(thing("a"));
    expect(await popped).toEqual(thing("a"));
  });
  it("serves waiting pops in order, each with one object", async () => {
    const fifo = queueOf();
    const first = fifo.pop(nothing);
    const second = fifo.pop(nothing);
    fifo.add(thing("a"));
    fifo.add(thing("b"));
    expect([await first, await second]).toEqual([thing("a"), thing("b")]);
  });
  it("pop rejects with the reason of the signal, and no object is lost", async () => {
    const fifo = queueOf();
    const stop = new AbortController();
    const popped = fifo.pop(nothing, { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(popped).rejects.toThrow("enough");
    await expect(fifo.pop(nothing, { signal: stop.signal })).rejects.toThrow("enough");
    fifo.add(thing("a"));
    expect(await fifo.pop(nothing)).toEqual(thing("a"));
  });
  it("requeues on ErrRequeue, unless a newer change is queued", async () => {
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
  it("does not requeue after another error", async () => {
    const fifo = queueOf(thing("a"));
    await expect(fifo.pop(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(fifo.list()).toEqual([]);
  });
  it("close rejects waiting pops, and queued objects can still be popped", async () => {
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
  it("pops exactly the listed objects after replace", async () => {
    const fifo = queueOf(thing("a"), thing("b"));
    fifo.replace([thing("b", 9), thing("c")]);
    expect([await fifo.pop(nothing), await fifo.pop(nothing)]).toEqual([thing("b", 9), thing("c")]);
    expect(fifo.list()).toEqual([]);
  });
  it("has synced when the first list was popped, or an object was added before any list", async () => {
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
  it("resync keeps every listed object in line: each is popped exactly once after any sequence of calls", async () => {
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
