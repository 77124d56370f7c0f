import { describe, expect, it } from "vitest";
import { DeletedFinalStateUnknown } from "./deleted-final-state-unknown.ts";
import { newDeltaFIFO } from "./delta-fifo.ts";
import type { DeltaFIFO, DeltaFIFOOptions } from "./delta-fifo.ts";
import { newest, oldest, pushDelta } from "./delta.ts";
import type { Delta, Deltas } from "./delta.ts";
import { newStore } from "./indexer.ts";
import { KeyError } from "./key-func.ts";
import { ErrRequeue, FifoClosedError } from "./queue.ts";

interface Thing {
  readonly id: string;
  readonly n: number;
}
const thing = (id: string, n = 0): Thing => ({ id, n });
const idOf = ({ id }: Thing): string => id;
const known = (...things: readonly Thing[]) => {
  const store = newStore(idOf);
  for (const one of things) store.add(one);
  return store;
};
const queueOf = (options: Partial<DeltaFIFOOptions<Thing>> = {}): DeltaFIFO<Thing> => newDeltaFIFO<Thing>({ keyFunc: idOf, ...options });
const word = ({ type, object }: Delta<Thing>): string =>
  `${type} ${object instanceof DeletedFinalStateUnknown ? `?${object.key}${object.obj?.n ?? ""}` : `${object.id}${object.n}`}`;
const pop = async (queue: DeltaFIFO<Thing>): Promise<string> => (await queue.pop(() => undefined)).map(word).join(", ");
const popAll = async (queue: DeltaFIFO<Thing>): Promise<string[]> => {
  const popped: string[] = [];
  while (queue.listKeys().length > 0) popped.push(await pop(queue));
  return popped;
};

describe("Deltas", () => {
  it("oldest and newest return the first and the last delta", () => {
    const deltas: Deltas<Thing> = [
      { type: "Added", object: thing("a", 1) },
      { type: "Updated", object: thing("a", 2) },
    ];
    expect([oldest(deltas), newest(deltas), newest([])]).toEqual([deltas[0], deltas[1], undefined]);
  });
  it("merge two deletions in a row: keep the one with the final state, or the first", () => {
    const pushed = (...objects: Delta<Thing>["object"][]): string[] => {
      const deltas: Delta<Thing>[] = [];
      for (const object of objects) pushDelta(deltas, { type: "Deleted", object });
      return deltas.map(word);
    };
    const unknown = new DeletedFinalStateUnknown("a", thing("a", 1));
    expect([
      pushed(thing("a", 1), thing("a", 2)),
      pushed(unknown, thing("a", 2)),
      pushed(thing("a", 2), unknown),
      pushed(unknown, unknown),
    ]).toEqual([["Deleted a1"], ["Deleted a2"], ["Deleted a2"], ["Deleted ?a1"]]);
  });
});

describe("DeltaFIFO", () => {
  it("pops all changes of one object in order, and then the next object", async () => {
    const queue = queueOf();
    queue.add(thing("a", 1));
    queue.add(thing("b", 1));
    queue.update(thing("a", 2));
    queue.delete(thing("a", 3));
    expect(await popAll(queue)).toEqual(["Added a1, Updated a2, Deleted a3", "Added b1"]);
  });
  it("ignores the deletion of an object that is neither known nor queued", async () => {
    const queue = queueOf({ knownObjects: known(thing("b")) });
    queue.delete(thing("a"));
    queue.delete(thing("b", 7));
    expect(await popAll(queue)).toEqual(["Deleted b7"]);
    expect(queueOf({}).listKeys()).toEqual([]);
  });
  it("replace emits a tombstone with the last state for known or queued objects missing from the list", async () => {
    const queue = queueOf({ knownObjects: known(thing("a", 1), thing("b", 1), thing("c", 1)) });
    queue.update(thing("b", 2));
    queue.add(thing("d", 1));
    queue.replace([thing("a", 5), thing("e", 1)]);
    expect(await popAll(queue)).toEqual(["Updated b2, Deleted ?b2", "Added d1, Deleted ?d1", "Replaced a5", "Replaced e1", "Deleted ?c1"]);
  });
  it("does not wrap a tombstone in a tombstone", async () => {
    const queue = queueOf();
    queue.add(thing("a", 1));
    queue.replace([]);
    queue.replace([]);
    expect(await popAll(queue)).toEqual(["Added a1, Deleted ?a1"]);
  });
  it("queues the items of a list as Sync without emitDeltaTypeReplaced", async () => {
    const queue = queueOf({ emitDeltaTypeReplaced: false });
    queue.replace([thing("a", 1)]);
    expect(await popAll(queue)).toEqual(["Sync a1"]);
  });
  it("resync queues known objects without queued changes as Sync", async () => {
    const queue = queueOf({ knownObjects: known(thing("a", 1), thing("b", 1)) });
    queue.update(thing("a", 2));
    queue.resync();
    expect(await popAll(queue)).toEqual(["Updated a2", "Sync b1"]);
    queueOf().resync();
  });
  it("replace rejects a list with an object without a key, and changes nothing", () => {
    const queue = queueOf({
      keyFunc: (one) => {
        if (one.id === "") throw new Error("no id");
        return one.id;
      },
    });
    queue.add(thing("a"));
    expect(() => queue.replace([thing("b"), thing("")])).toThrow(KeyError);
    expect([queue.listKeys(), queue.hasSynced()]).toEqual([["a"], true]);
  });
  it("keyOf returns the key of objects, tombstones and deltas, and rejects empty deltas", () => {
    const queue = queueOf();
    expect([
      queue.keyOf(thing("a")),
      queue.keyOf(new DeletedFinalStateUnknown<Thing>("b", undefined)),
      queue.keyOf([{ type: "Added", object: thing("c") }]),
    ]).toEqual(["a", "b", "c"]);
    expect(() => queue.keyOf([])).toThrow("0 length Deltas object; can't get key");
  });
  it("lists what is queued, as copies that later changes do not modify", () => {
    const queue = queueOf();
    queue.add(thing("a", 1));
    const shown = queue.getByKey("a");
    queue.update(thing("a", 2));
    expect([
      shown?.map(word),
      queue.get(thing("a"))?.map(word),
      queue.list().map((deltas) => deltas.map(word)),
      queue.getByKey("b"),
    ]).toEqual([["Added a1"], ["Added a1", "Updated a2"], [["Added a1", "Updated a2"]], undefined]);
  });
  it("transforms objects before queueing, except tombstones and resyncs", async () => {
    const queue = queueOf({ knownObjects: known(thing("k", 1), thing("gone", 1)), transformer: ({ id, n }) => thing(id, n + 100) });
    queue.add(thing("a", 1));
    queue.delete(thing("a", 2));
    queue.resync();
    queue.replace([thing("k", 2)]);
    expect(await popAll(queue)).toEqual(["Added a101, Deleted a102", "Sync k1, Replaced k102", "Sync gone1, Deleted ?gone1"]);
  });
  it("requeues on ErrRequeue, unless a newer change is queued", async () => {
    const queue = queueOf();
    queue.add(thing("a", 1));
    await expect(
      queue.pop(() => {
        throw new ErrRequeue(new Error("later"));
      }),
    ).rejects.toThrow("later");
    await queue.pop(() => {
      queue.update(thing("a", 2));
      throw new ErrRequeue();
    });
    expect(await popAll(queue)).toEqual(["Updated a2"]);
  });
  it("pop waits for the next object and rejects when the queue is closed", async () => {
    const queue = queueOf();
    const popped = pop(queue);
    queue.add(thing("a", 1));
    expect(await popped).toBe("Added a1");
    const never = pop(queue);
    queue.close();
    await expect(never).rejects.toBeInstanceOf(FifoClosedError);
    expect(queue.isClosed()).toBe(true);
  });
  it("has synced when all items of the first list, including deletions, were popped", async () => {
    const queue = queueOf({ knownObjects: known(thing("gone")) });
    expect(queue.hasSynced()).toBe(false);
    queue.replace([thing("a")]);
    queue.replace([thing("a"), thing("b")]);
    const initial: boolean[] = [];
    while (queue.listKeys().length > 0) await queue.pop((_deltas, isInInitialList) => void initial.push(isInInitialList));
    expect([initial, queue.hasSynced()]).toEqual([[true, true, false], true]);
    const other = queueOf();
    other.add(thing("a"));
    expect(other.hasSynced()).toBe(true);
  });
  it("takes time in proportion to its length", async () => {
    const queue = queueOf();
    const [many, keys] = process.env["DROVER_LONG"] === "1" ? [200_000, 50_000] : [50_000, 10_000];
    for (let n = 0; n < many; n++) queue.update(thing("a", n));
    for (let n = 0; n < keys; n++) queue.add(thing(`b${n}`, n));
    expect((await queue.pop(() => undefined)).length).toBe(many);
    for (let n = 0; n < keys; n++) await queue.pop(() => undefined);
    expect(queue.listKeys()).toEqual([]);
  });
});
