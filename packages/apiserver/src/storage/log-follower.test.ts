import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { LogFollower } from "./log-follower.ts";
import { MemoryStore } from "./memory-store.ts";
import { CompactedError } from "./store.ts";

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

function follow(
  store: MemoryStore,
  { prefix = "/p/", signal = new AbortController().signal }: { readonly prefix?: string; readonly signal?: AbortSignal } = {},
): LogFollower {
  const follower = store.watch(prefix, { from: 2, signal });
  if (follower instanceof LogFollower) return follower;
  throw new Error("the store in memory has a log");
}

const keysOf = (follower: LogFollower): readonly string[] => follower.take()?.events.map(({ key }) => key) ?? [];

describe("LogFollower", () => {
  it("is notified after the writer continues, once for all writes of a turn", async () => {
    const store = new MemoryStore({ clock: new ManualClock() });
    const follower = follow(store);
    const heard: (readonly string[])[] = [];
    follower.onNews(() => void heard.push(keysOf(follower)));
    expect(keysOf(follower)).toEqual([]);
    void store.put("/p/a", "", { expected: 0 });
    void store.put("/q/a", "", { expected: 0 });
    void store.put("/p/b", "", { expected: 0 });
    expect(heard).toEqual([]);
    await turns();
    await store.put("/p/c", "", { expected: 0 });
    await turns();
    expect(heard).toEqual([["/p/a", "/p/b"], ["/p/c"]]);
  });

  it("is not notified again before it reads, and misses no write", async () => {
    const store = new MemoryStore({ clock: new ManualClock() });
    const follower = follow(store);
    let news = 0;
    follower.onNews(() => void news++);
    follower.take();
    for (const key of ["/p/a", "/p/b", "/p/c"]) {
      await store.put(key, "", { expected: 0 });
      await turns();
    }
    expect([news, keysOf(follower), keysOf(follower)]).toEqual([1, ["/p/a", "/p/b", "/p/c"], []]);
  });

  it("is not notified after it was dismissed during a notification", async () => {
    const store = new MemoryStore({ clock: new ManualClock() });
    const [first, second, third] = [follow(store), follow(store), follow(store)] as const;
    const heard: string[] = [];
    first.onNews(() => {
      heard.push("first");
      second.dismiss();
    });
    second.onNews(() => void heard.push("second"));
    third.onNews(() => void heard.push("third"));
    for (const follower of [first, second, third]) follower.take();
    await store.put("/p/a", "", { expected: 0 });
    await turns();
    expect([heard, second.take(), keysOf(third)]).toEqual([["first", "third"], undefined, ["/p/a"]]);
  });

  it("throws the abort reason once, at once", () => {
    const store = new MemoryStore({ clock: new ManualClock() });
    const control = new AbortController();
    const follower = follow(store, { signal: control.signal });
    let news = 0;
    follower.onNews(() => void news++);
    follower.take();
    const reason = new Error("enough");
    control.abort(reason);
    expect(news).toBe(1);
    expect(() => follower.take()).toThrow(reason);
    expect([follower.take(), follower.isOver]).toEqual([undefined, true]);
  });

  it("ends when the store restarts or closes, and throws CompactedError when it is too late", async () => {
    const store = new MemoryStore({ clock: new ManualClock() });
    const before = follow(store);
    before.take();
    store.restore(store.snapshot());
    await turns();
    expect([before.take(), before.isOver]).toEqual([undefined, true]);
    const slow = follow(store);
    slow.take();
    for (const key of ["/p/a", "/p/b"]) await store.put(key, "", { expected: 0 });
    await store.compact(3);
    expect(() => slow.take()).toThrow(CompactedError);
    const last = follow(store, { prefix: "/none/" });
    expect(() => last.take()).toThrow(CompactedError);
  });
});
