import { describe, expect, it } from "vitest";
import { HandlerBuffer } from "./handler-buffer.ts";
import { AddedChange, DeletedChange, UpdatedChange } from "../store/change.ts";
import type { StoreChange } from "../store/change.ts";
import type { ObjectVersion } from "../source/object-version.ts";
import { keyOf, podVersion } from "../testing/pod-version.ts";
import type { TestPod } from "../testing/pod-version.ts";

const keys = ["a", "b"] as const;
type Key = (typeof keys)[number];
type Move = `${"add" | "update" | "delete" | "recreate" | "release"} ${Key}` | "take" | "succeed" | "fail";

/** These objects are never read, and there are many. */
const bare = (key: Key, uid: string, at: number): ObjectVersion<TestPod> => ({
  key: keyOf(key),
  uid,
  resourceVersion: String(at),
  isTerminating: false,
  labels: {},
  object: { metadata: { name: key } },
  isParsed: true,
});

/** A store, a buffer and a handler, driven step by step; the handler tracks the state and rejects invalid changes. */
class Play {
  readonly #store = new Map<Key, ObjectVersion<TestPod>>();
  readonly #known = new Map<Key, StoreChange<TestPod>>();
  /** Uids that the handler received although it failed. */
  readonly #tried = new Set<string>();
  readonly #over = new Set<string>();
  readonly #buffer = new HandlerBuffer<TestPod>();
  #running: StoreChange<TestPod> | undefined;
  #version = 0;

  moves(): Move[] {
    const moves: Move[] = [];
    for (const key of keys) {
      if (this.#store.has(key)) moves.push(`update ${key}`, `delete ${key}`, `recreate ${key}`);
      else moves.push(`add ${key}`);
      if (this.#buffer.isHeld(keyOf(key))) moves.push(`release ${key}`);
    }
    if (this.#running !== undefined) moves.push("succeed", "fail");
    else if (this.#buffer.hasReady) moves.push("take");
    return moves;
  }

  make(move: Move): void {
    if (move === "take") {
      this.#running = this.#buffer.take();
      return;
    }
    if (move === "succeed" || move === "fail") {
      this.#end(move);
      return;
    }
    const [what, key] = move.split(" ") as ["add" | "update" | "delete" | "recreate" | "release", Key];
    if (what === "release") {
      this.#buffer.release(keyOf(key));
      return;
    }
    const old = this.#store.get(key);
    const at = ++this.#version;
    const version = bare(key, what === "update" && old !== undefined ? old.uid : `${key}${at}`, at);
    if (what === "delete" || what === "recreate") {
      this.#store.delete(key);
      if (old !== undefined) this.#buffer.push(new DeletedChange({ version: old, isFinalStateUnknown: false }));
    }
    if (what === "delete") return;
    this.#store.set(key, version);
    this.#buffer.push(
      what === "update" && old !== undefined
        ? new UpdatedChange({ version, before: old, isResync: false })
        : new AddedChange({ version, isInInitialList: false }),
    );
  }

  /** Lets the handler catch up, then compares its state with the store. */
  finish(): void {
    if (this.#running !== undefined) this.make("succeed");
    for (const key of keys) if (this.#buffer.isHeld(keyOf(key))) this.#buffer.release(keyOf(key));
    let told = 0;
    while (this.#buffer.hasReady) {
      if (++told > 2 * keys.length) throw new Error("more than two changes per key were waiting");
      this.make("take");
      this.make("succeed");
    }
    for (const key of keys)
      if (this.#known.get(key)?.object !== this.#store.get(key)?.object) throw new Error(`at the end ${key} is not known as it is`);
    if (this.#buffer.size + this.#buffer.initialCount !== 0) throw new Error("something is left");
  }

  #end(how: "succeed" | "fail"): void {
    const change = this.#running;
    this.#running = undefined;
    if (change === undefined) return;
    const key = change.key as string as Key;
    const { uid } = change;
    this.#check(change, this.#known.get(key));
    if (how === "fail") {
      this.#tried.add(uid);
      this.#buffer.hold(change);
      return;
    }
    if (change.type === "deleted") {
      this.#known.delete(key);
      this.#over.add(uid);
    } else this.#known.set(key, change);
  }

  #check(change: StoreChange<TestPod>, known: StoreChange<TestPod> | undefined): void {
    const { uid, resourceVersion } = change;
    if (this.#over.has(uid)) throw new Error(`${uid} was told after its end`);
    if (change.type === "added" && known !== undefined) throw new Error(`${uid} was added over ${known.uid}`);
    if (change.type === "updated" && known?.object !== change.before)
      throw new Error(`${uid} was updated from what the handler did not know`);
    if (change.type === "updated" && Number(resourceVersion) <= Number(known?.resourceVersion)) throw new Error(`${uid} went back`);
    if (change.type === "deleted" && known?.uid !== uid && !(known === undefined && this.#tried.has(uid)))
      throw new Error(`${uid} was deleted though the handler knew ${known?.uid}`);
  }
}

function explore(path: Move[], depth: number): number {
  const play = new Play();
  for (const move of path) play.make(move);
  const moves = play.moves();
  play.finish();
  if (depth === 0) return 1;
  let states = 1;
  for (const move of moves) states += explore([...path, move], depth - 1);
  return states;
}

describe("HandlerBuffer", () => {
  it("keeps its guarantees on every path of store and handler over two keys", () => {
    const depth = process.env["DROVER_LONG"] === "1" ? 8 : 6;
    const states = explore([], depth);
    console.log(`handler buffer: ${states} paths of up to ${depth} moves over ${keys.length} keys`);
    expect(states).toBeGreaterThan(depth === 8 ? 70_000 : 7000);
  });

  it("returns keys in the order in which they became pending, the two changes of a key together", () => {
    const buffer = new HandlerBuffer<TestPod>();
    buffer.push(new DeletedChange({ version: podVersion("b", 2), isFinalStateUnknown: false }));
    buffer.push(new AddedChange({ version: podVersion("a", 3), isInInitialList: true }));
    expect(buffer.push(new AddedChange({ version: podVersion("b", 4), isInInitialList: false }))).toBe(true);
    expect([buffer.size, buffer.initialCount]).toEqual([2, 1]);
    const told = [buffer.take(), buffer.take(), buffer.take(), buffer.take()].map((change) => change && `${change.type} ${change.key}`);
    expect(told).toEqual(["deleted b", "added b", "added a", undefined]);
    expect(buffer.initialCount).toBe(0);
  });

  it("keeps the order while keys come and go during a long backlog", () => {
    const buffer = new HandlerBuffer<TestPod>();
    const push = (key: string, at: number): void =>
      void buffer.push(new AddedChange({ version: podVersion(key, at), isInInitialList: false }));
    const take = (): string | undefined => buffer.take()?.key;
    push("a", 1);
    push("b", 1);
    expect([take(), take(), take()]).toEqual(["a", "b", undefined]);
    push("c", 1);
    push("d", 1);
    expect(take()).toBe("c");
    buffer.push(new DeletedChange({ version: podVersion("d", 2), isFinalStateUnknown: false }));
    push("e", 3);
    push("d", 4);
    expect([take(), take(), take()]).toEqual(["e", "d", undefined]);
    push("f", 5);
    buffer.clear();
    push("g", 6);
    expect([take(), take()]).toEqual(["g", undefined]);
  });

  it("holds a failed key and merges its changes, while other keys continue", () => {
    const buffer = new HandlerBuffer<TestPod>();
    buffer.hold(new AddedChange({ version: podVersion("a", 1), isInInitialList: true }));
    buffer.push(new UpdatedChange({ version: podVersion("a", 3), before: podVersion("a", 1), isResync: false }));
    buffer.push(new AddedChange({ version: podVersion("b", 2), isInInitialList: false }));
    expect([buffer.take()?.key, buffer.take(), buffer.isHeld(keyOf("a")), buffer.initialCount]).toEqual(["b", undefined, true, 1]);
    buffer.release(keyOf("a"));
    expect(buffer.take()).toMatchObject({ type: "added", resourceVersion: "3", isInInitialList: true });
    buffer.push(new AddedChange({ version: podVersion("c", 4), isInInitialList: true }));
    buffer.clear();
    expect([buffer.size, buffer.initialCount]).toEqual([0, 0]);
  });
});
