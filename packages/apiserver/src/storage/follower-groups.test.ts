import type { Clock } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FollowerGroups } from "./follower-groups.ts";
import { LogFollower } from "./log-follower.ts";
import { MemoryStore } from "./memory-store.ts";
import { CompactedError } from "./store.ts";
import type { Revision } from "./store.ts";

const idleFollower = (prefix: string): LogFollower =>
  new LogFollower({ read: () => undefined, forget: () => undefined, isAtEnd: () => false }, prefix, {
    from: 1,
    signal: new AbortController().signal,
  });

const text = fc.stringMatching(/^[ab/]{0,5}$/);

describe("FollowerGroups", () => {
  it("finds the followers whose prefix a key has, and no others", () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), fc.array(fc.nat(7)), text, (prefixes, leaving, key) => {
        const groups = new FollowerGroups();
        const all = prefixes.map(idleFollower);
        for (const each of all) groups.add(each);
        const left = new Set(leaving.flatMap((index) => all[index] ?? []));
        for (const each of left) groups.delete(each);
        const staying = all.filter((each) => !left.has(each));
        const found = [...groups.of(key)].flatMap((group) => [...group]);
        expect(new Set(found)).toEqual(new Set(staying.filter(({ prefix }) => key.startsWith(prefix))));
        expect(found.length).toBe(new Set(found).size);
        expect(new Set(groups.all())).toEqual(new Set(staying));
      }),
    );
  });
});

/** Bytes after which a batch ends. */
const batchMax = 128 * 1024;

type Step =
  | { readonly kind: "write"; readonly key: string; readonly bytes: number }
  | { readonly kind: "read" | "progress"; readonly reader: number }
  | { readonly kind: "compact" };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("write" as const),
    key: fc.constantFrom("/a/1", "/a/2", "/a/b/1", "/c/1"),
    bytes: fc.constantFrom(0, 0, batchMax / 2, batchMax),
  }),
  fc.record({ kind: fc.constantFrom("read" as const, "progress" as const), reader: fc.nat(4) }),
  fc.constant({ kind: "compact" as const }),
);

interface Write {
  readonly bytes: number;
  readonly key: string;
  readonly revision: Revision;
}

/** A follower, and what it has to get. */
class Reader {
  readonly follower: LogFollower;
  #unread: Write[] = [];
  #isCut = false;

  constructor(store: MemoryStore, prefix: string) {
    this.follower = store.watch(prefix, { from: 2, signal: new AbortController().signal }) as LogFollower;
  }

  note(write: Write): void {
    if (write.key.startsWith(this.follower.prefix)) this.#unread.push(write);
  }

  read(compacted: Revision): void {
    if (this.#isCut) return;
    this.#isCut = (this.#unread[0]?.revision ?? Infinity) <= compacted;
    if (this.#isCut) return expect(() => this.follower.take()).toThrow(CompactedError);
    const got = (this.follower.take()?.events ?? []).map(({ revision }) => revision);
    // A batch ends with the event that fills it.
    let bytes = 0;
    const expected = this.#unread.filter((write) => {
      const isFull = bytes >= batchMax;
      bytes += write.bytes;
      return !isFull;
    });
    expect(got).toEqual(expected.map(({ revision }) => revision));
    this.#unread = this.#unread.slice(expected.length);
  }
}

describe("followers of a log that read at random times", () => {
  it("each get every write under their prefix once and in order, unless one that they have not read is compacted", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const store = new MemoryStore({ clock: new ManualClock() });
        const readers = ["/a/", "/a/", "/a/b/", "/c/1", "/"].map((prefix) => new Reader(store, prefix));
        for (const reader of readers) reader.read(0);
        const last = [...readers.keys()].flatMap((reader) => steps.map(() => ({ kind: "read" as const, reader })));
        for (const next of [...steps, ...last]) {
          const compacted = await store.compacted();
          if (next.kind === "write") {
            const { stored } = await store.get(next.key);
            const value = "x".repeat(next.bytes);
            await store.put(next.key, value, { expected: stored?.modRevision ?? 0 });
            const bytes = next.key.length + value.length + (stored?.value.length ?? 0);
            const write = { key: next.key, revision: await store.revision(), bytes };
            for (const reader of readers) reader.note(write);
          } else if (next.kind === "compact") {
            const revision = await store.revision();
            if (revision > compacted) await store.compact(revision);
          } else if (next.kind === "progress") readers[next.reader]?.follower.requestProgress();
          else readers[next.reader]?.read(compacted);
        }
      }),
    );
  });

  it("hear of a write in several turns when there are many", async () => {
    let nowMs = 0;
    const turns: (() => void)[] = [];
    const clock: Clock = {
      now: () => nowMs,
      monotonic: () => nowMs,
      timer: (delayMs, callback) => {
        if (delayMs === 0) turns.push(callback);
        return () => undefined;
      },
    };
    const store = new MemoryStore({ clock });
    const told = Array.from({ length: 100 }, () => 0);
    for (const index of told.keys()) {
      const follower = store.watch("/a/", { from: 2, signal: new AbortController().signal }) as LogFollower;
      follower.take();
      follower.onNews(() => {
        nowMs++;
        told[index] = (told[index] ?? 0) + (follower.take()?.events.length ?? 0);
      });
    }
    const eventsTold = (): number => told.reduce((sum, count) => sum + count, 0);
    await store.put("/a/1", "", { expected: 0 });
    await Promise.resolve();
    expect([eventsTold(), turns.length]).toEqual([32, 1]);
    // Followers that already got the first write get the second one after the others, which get both at once.
    await store.put("/a/2", "", { expected: 0 });
    await Promise.resolve();
    expect([eventsTold(), turns.length]).toEqual([32, 1]);
    turns.shift()?.();
    expect(eventsTold()).toBe(32 + 2 * 32);
    while (turns.length > 0) turns.shift()?.();
    expect(told).toEqual(told.map(() => 2));
  });
});
