import { describe, expect, it } from "vitest";
import { HandlerBuffer } from "../handlers/handler-buffer.ts";
import { InformerStore } from "./informer-store.ts";
import type { StoreChange } from "./change.ts";
import type { ObjectVersion } from "../source/object-version.ts";
import { keyOf } from "../testing/pod-version.ts";
import type { TestPod } from "../testing/pod-version.ts";

const keys = ["a", "b"] as const;
type Key = (typeof keys)[number];
type Version = ObjectVersion<TestPod>;
type Write = "add" | "update" | "delete" | "recreate";
type Move = `${Write | `lost ${Write}`} ${Key}` | `replay ${number}` | "relist" | "take" | "succeed" | "fail" | `release ${Key}`;

const bare = (key: Key, uid: string, at: number): Version => ({
  key: keyOf(key),
  uid,
  resourceVersion: String(at),
  isTerminating: false,
  labels: {},
  object: { metadata: { name: key } },
  isParsed: true,
});

/**
 * A server, a wire that loses and repeats events, a store, and a slow and failing handler. Every change that reaches the handler must be
 * valid, and after one more list it must have exactly the state of the server.
 */
class Play {
  readonly #server = new Map<Key, Version>();
  readonly #history: { readonly type: "upsert" | "remove"; readonly version: Version }[] = [];
  readonly #store = new InformerStore<TestPod>({
    onIgnored: () => undefined,
    onIndexError: (failure) => {
      throw failure.error;
    },
  });
  readonly #buffer = new HandlerBuffer<TestPod>();
  readonly #known = new Map<string, StoreChange<TestPod>>();
  readonly #heardOf = new Set<string>();
  readonly #over = new Set<string>();
  #running: StoreChange<TestPod> | undefined;
  #at = 0;
  #listedAt = 0;

  moves(): Move[] {
    const moves: Move[] = ["relist"];
    for (const key of keys) {
      const writes: Write[] = this.#server.has(key) ? ["update", "delete", "recreate"] : ["add"];
      for (const write of writes) moves.push(`${write} ${key}`, `lost ${write} ${key}`);
      if (this.#buffer.isHeld(keyOf(key))) moves.push(`release ${key}`);
    }
    // Repeat the oldest and the newest event: a reconnect may cause either.
    for (const place of new Set([0, this.#history.length - 1]))
      if (place < this.#history.length && place >= 0) moves.push(`replay ${place}`);
    if (this.#running !== undefined) moves.push("succeed", "fail");
    else if (this.#buffer.hasReady) moves.push("take");
    return moves;
  }

  make(move: Move): void {
    const [first = "", second = "", third = ""] = move.split(" ");
    if (move === "take") this.#running = this.#buffer.take();
    else if (move === "succeed" || move === "fail") this.#end(move);
    else if (move === "relist") this.#relist();
    else if (first === "release") this.#buffer.release(keyOf(second));
    else if (first === "replay") this.#deliver(Number(second));
    else if (first === "lost") this.#write(second as Write, third as Key);
    else for (const place of this.#write(first as Write, second as Key)) this.#deliver(place);
  }

  finish(): void {
    this.#relist();
    if (this.#running !== undefined) this.#end("succeed");
    for (const key of keys) if (this.#buffer.isHeld(keyOf(key))) this.#buffer.release(keyOf(key));
    for (let told = 0; this.#buffer.hasReady; told++) {
      if (told >= 2 * keys.length) throw new Error("more than two changes per key were waiting");
      this.#running = this.#buffer.take();
      this.#end("succeed");
    }
    for (const key of keys) {
      const [server, known] = [this.#server.get(key), this.#known.get(key)];
      if (server?.resourceVersion !== known?.resourceVersion || server?.uid !== known?.uid)
        throw new Error(`the handler knows ${known?.resourceVersion} of ${key}, the server has ${server?.resourceVersion}`);
    }
  }

  /** Returns the positions of its events in the history. */
  #write(write: Write, key: Key): number[] {
    const old = this.#server.get(key);
    const places: number[] = [];
    const note = (type: "upsert" | "remove", version: Version): void => {
      places.push(this.#history.push({ type, version }) - 1);
    };
    if (old !== undefined && write !== "update") {
      note("remove", bare(key, old.uid, ++this.#at));
      this.#server.delete(key);
    }
    if (write === "delete") return places;
    const at = ++this.#at;
    const version = bare(key, write === "update" && old !== undefined ? old.uid : `${key}${at}`, at);
    this.#server.set(key, version);
    note("upsert", version);
    return places;
  }

  #deliver(place: number): void {
    const event = this.#history[place];
    // The reflector already drops events older than the last list.
    if (event === undefined || Number(event.version.resourceVersion) <= this.#listedAt) return;
    for (const change of event.type === "upsert" ? this.#store.upsert(event.version) : this.#store.remove(event.version))
      this.#buffer.push(change);
  }

  #relist(): void {
    this.#listedAt = this.#at;
    const steps = this.#store.replace([...this.#server.values()], { isInInitialList: false, keep: new Set(), isNewEpoch: false });
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    for (const change of step.value) this.#buffer.push(change);
  }

  #end(how: "succeed" | "fail"): void {
    const change = this.#running;
    this.#running = undefined;
    if (change === undefined) return;
    const { key, uid, resourceVersion } = change;
    const known = this.#known.get(key);
    if (this.#over.has(uid)) throw new Error(`${uid} was told after its end`);
    if (change.type === "added" && known !== undefined) throw new Error(`${uid} was added over ${known.uid}`);
    if (change.type === "updated" && known?.object !== change.before)
      throw new Error(`${uid} was updated from what the handler did not know`);
    if (change.type === "deleted" && known?.uid !== uid && !this.#heardOf.has(uid))
      throw new Error(`${uid} was deleted and never heard of`);
    if (change.type === "updated" && Number(resourceVersion) <= Number(known?.resourceVersion)) throw new Error(`${uid} went back`);
    this.#heardOf.add(uid);
    if (how === "fail") this.#buffer.hold(change);
    else if (change.type === "deleted") {
      this.#known.delete(key);
      this.#over.add(uid);
    } else this.#known.set(key, change);
  }
}

const isOf = (key: Key, move: Move): boolean => move.endsWith(` ${key}`);

/**
 * Number of paths. Those that start with the second key equal those that start with the first, under other names:
 * they are counted but not run.
 */
function explore(path: readonly Move[], depth: number): number {
  const play = new Play();
  for (const move of path) play.make(move);
  const moves = depth === 0 ? [] : play.moves().filter((move) => path.length > 0 || !isOf(keys[1], move));
  play.finish();
  let paths = 1;
  for (const move of moves) paths += explore([...path, move], depth - 1) * (path.length === 0 && isOf(keys[0], move) ? 2 : 1);
  return paths;
}

describe("InformerStore and HandlerBuffer", () => {
  it("end with the server's state on every path of writes, lost and repeated events, lists, and a slow and failing handler", () => {
    const depth = process.env["DROVER_LONG"] === "1" ? 6 : 4;
    const paths = explore([], depth);
    console.log(`wire to handler: ${paths} paths of up to ${depth} moves over ${keys.length} keys`);
    expect(paths).toBeGreaterThan(depth === 6 ? 50_000 : 3000);
  });
});
