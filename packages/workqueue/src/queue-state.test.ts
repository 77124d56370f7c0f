import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { QueueState } from "./queue-state.ts";
import type { QueueStateOptions } from "./queue-state.ts";
import { itemExponentialFailureRateLimiter } from "./rate-limiter.ts";
import type { RateLimiter } from "./rate-limiter.ts";

const create = (options: Partial<QueueStateOptions<string>> = {}): QueueState<string, string> =>
  new QueueState({ rateLimiter: itemExponentialFailureRateLimiter(10, 1000), ageingMs: 1000, maxAttempts: Infinity, ...options });
const takeAll = (state: QueueState<string, string>, now: number): string[] => {
  const keys: string[] = [];
  for (let work = state.take(now); work !== undefined; work = state.take(now)) keys.push(work.key);
  return keys;
};

describe("QueueState priorities", () => {
  it("outrank the order of arrival, which decides between equal priorities", () => {
    const state = create();
    for (const [key, priority] of [
      ["a", 0],
      ["b", -100],
      ["c", 5],
      ["d", 0],
      ["e", 5],
    ] as const)
      state.add(() => 0, key, { priority });
    expect(takeAll(state, 0)).toEqual(["c", "e", "a", "d", "b"]);
  });

  it("of a pending key only rise, and the key goes to the end of its new class", () => {
    const state = create();
    for (const [key, priority] of [
      ["a", 0],
      ["b", 5],
      ["a", 5],
      ["c", 5],
      ["b", 0],
      ["d", 0],
    ] as const)
      state.add(() => 0, key, { priority });
    expect(state.report(0, "a")?.priority).toBe(5);
    expect(takeAll(state, 0)).toEqual(["b", "a", "c", "d"]);
  });

  it("are part of the work", () => {
    const state = create();
    state.add(() => 0, "a", { priority: 7 });
    expect(state.take(0)?.priority).toBe(7);
  });

  it("order keys that become due at the same time", () => {
    const state = create();
    state.add(() => 0, "low", { afterMs: 5 });
    state.add(() => 0, "high", { afterMs: 5, priority: 1 });
    expect(takeAll(state, 4)).toEqual([]);
    expect(takeAll(state, 5)).toEqual(["high", "low"]);
  });

  it("age: a key never waits behind a later key of higher priority for longer than ageingMs per point", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ gap: fc.nat(30), priority: fc.integer({ min: -5, max: 5 }) }), { maxLength: 60 }), (adds) => {
        const state = create({ ageingMs: 10 });
        const addedAt = new Map<string, { readonly at: number; readonly priority: number }>();
        let now = 0;
        for (const [index, { gap, priority }] of adds.entries()) {
          now += gap;
          addedAt.set(String(index), { at: now, priority });
          state.add(() => now, String(index), { priority });
        }
        const order = takeAll(state, now).map((key) => addedAt.get(key) ?? { at: 0, priority: 0 });
        for (const [place, { at, priority }] of order.entries()) {
          for (const earlier of order.slice(0, place))
            expect(earlier.at - at).toBeLessThanOrEqual(Math.max(0, (earlier.priority - priority) * 10));
        }
      }),
    );
  });

  it("that are raised never move a key back", () => {
    const state = create({ ageingMs: 10 });
    state.add(() => 0, "old");
    state.add(() => 50, "other", { priority: 4 });
    state.add(() => 100, "old", { priority: 1 });
    expect(takeAll(state, 100)).toEqual(["old", "other"]);
  });

  it("are absolute when ageingMs is Infinity", () => {
    const state = create({ ageingMs: Infinity });
    state.add(() => 0, "old", { priority: 0 });
    state.add(() => 1e9, "new", { priority: 1 });
    state.add(() => 1e9, "newer", { priority: 1 });
    expect(takeAll(state, 1e9)).toEqual(["new", "newer", "old"]);
  });

  it("must be finite numbers", () => {
    const state = create();
    for (const priority of [NaN, Infinity, -Infinity])
      expect(() => state.add(() => 0, "a", { priority })).toThrow(new RangeError(`priority must be a finite number, not ${priority}`));
    expect(state.reports(0)).toEqual([]);
  });
});

describe("QueueState delays", () => {
  it("are dropped when an event adds the key", () => {
    const state = create();
    state.add(() => 0, "a", { afterMs: 50 });
    state.add(() => 10, "a");
    expect(takeAll(state, 10)).toEqual(["a"]);
    state.done(() => 10, "a");
    expect([takeAll(state, 100), state.wakeAt, state.reports(100)]).toEqual([[], Infinity, []]);
  });

  it("end at the earliest of several times", () => {
    const state = create();
    state.add(() => 0, "a", { afterMs: 50 });
    state.add(() => 0, "a", { afterMs: 70 });
    state.add(() => 0, "b", { afterMs: 70 });
    state.add(() => 0, "b", { afterMs: 40 });
    expect(state.wakeAt).toBe(40);
    expect([takeAll(state, 39), takeAll(state, 40), takeAll(state, 49), takeAll(state, 50)]).toEqual([[], ["b"], [], ["a"]]);
  });

  it("that end while the key runs make it ready after done", () => {
    const state = create();
    state.add(() => 0, "a");
    state.take(0);
    state.add(() => 0, "a", { afterMs: 5 });
    expect(state.report(0, "a")).toMatchObject({ state: "running", again: "waiting", nextRunInMs: 5 });
    expect(takeAll(state, 10)).toEqual([]);
    expect(state.report(10, "a")).toMatchObject({ state: "running", again: "ready", nextRunInMs: 0 });
    state.done(() => 10, "a");
    expect(takeAll(state, 10)).toEqual(["a"]);
  });

  it("below the resolution of the clock make the key ready at once", () => {
    const state = create();
    state.add(() => 1e9, "a", { afterMs: 1e-9 });
    expect([state.wakeAt, takeAll(state, 1e9)]).toEqual([Infinity, ["a"]]);
  });
});

describe("QueueState causes", () => {
  it("are part of the work, eight of them and a count; causes added during a run belong to the next run", () => {
    const state = create();
    for (let cause = 1; cause <= 10; cause++) state.add(() => 0, "a", { cause: `change ${cause}` });
    const first = state.take(0);
    expect([first?.causes.length, first?.causes[0], first?.causeCount]).toEqual([8, "change 1", 10]);
    state.add(() => 0, "a", { cause: "next" });
    expect(state.report(0, "a")).toMatchObject({ causes: ["next"], causeCount: 1 });
    state.done(() => 0, "a");
    expect(state.take(0)).toMatchObject({ causes: ["next"], causeCount: 1 });
    expect(state.report(0, "a")).toMatchObject({ state: "running", causes: ["next"] });
  });

  it("of delayed adds and retries are kept until the run", () => {
    const state = create();
    state.add(() => 0, "a", { afterMs: 5, cause: "timer" });
    state.add(() => 0, "a", { rateLimited: true, cause: "retry" });
    state.add(() => 1, "a", { cause: "edit" });
    expect(state.take(1)?.causes).toEqual(["timer", "retry", "edit"]);
  });
});

/** Takes the key at this time and retries it. */
const fail = (state: QueueState<string, string>, now: number): void => {
  expect(state.take(now)?.key).toBe("a");
  state.add(() => now, "a", { rateLimited: true, reason: `failed at ${now}` });
  state.done(() => now, "a");
};

describe("QueueState retries", () => {
  it("wait for the limiter's delay, which starts again after forget", () => {
    const state = create();
    state.add(() => 0, "a");
    fail(state, 0);
    expect([state.wakeAt, state.attempts("a")]).toEqual([10, 1]);
    fail(state, 10);
    expect([state.wakeAt, state.attempts("a")]).toEqual([30, 2]);
    state.forget("a");
    expect(state.attempts("a")).toBe(0);
    fail(state, 30);
    expect([state.wakeAt, state.attempts("a")]).toEqual([40, 1]);
  });

  it("are not used up by runs that events caused (kubernetes/kubernetes#132805, §9.9)", () => {
    const state = create();
    state.add(() => 0, "a");
    fail(state, 0);
    fail(state, 10);
    for (const now of [11, 15, 20, 29]) {
      state.add(() => now, "a", { cause: "edit" });
      fail(state, now);
      expect([state.wakeAt, state.attempts("a")]).toEqual([30, 2]);
    }
    fail(state, 30);
    expect([state.wakeAt, state.attempts("a")]).toEqual([70, 3]);
  });

  it("use the smaller of afterMs and the limiter's delay", () => {
    const state = create();
    state.add(() => 0, "a", { rateLimited: true, afterMs: 3 });
    state.add(() => 0, "b", { rateLimited: true, afterMs: 30 });
    expect([state.report(0, "a")?.nextRunInMs, state.report(0, "b")?.nextRunInMs]).toEqual([3, 10]);
    expect(takeAll(state, 3)).toEqual(["a"]);
    state.add(() => 3, "a", { rateLimited: true });
    expect([state.attempts("a"), state.report(3, "a")?.nextRunInMs]).toEqual([2, 20]);
  });

  it("of many keys do not lengthen each other's delay", () => {
    const state = create();
    for (let key = 0; key < 100; key++) state.add(() => 0, String(key), { rateLimited: true });
    expect(state.reports(0).every(({ nextRunInMs }) => nextRunInMs === 10)).toBe(true);
  });

  it("are remembered until forget, whether done or the retry comes first", () => {
    const state = create();
    state.add(() => 0, "a");
    state.take(0);
    state.done(() => 0, "a");
    state.add(() => 0, "a", { rateLimited: true });
    state.take(10);
    state.done(() => 12, "a");
    expect(state.report(15, "a")).toEqual({ key: "a", state: "idle", priority: 0, ageMs: 3, causes: [], causeCount: 0, attempts: 1 });
    state.forget("a");
    expect(state.reports(15)).toEqual([]);
  });

  it("are rejected without a change when the limiter returns NaN", () => {
    const bad: RateLimiter<string> = { when: () => NaN, forget: () => undefined, numRequeues: () => 0 };
    const state = create({ rateLimiter: bad });
    expect(() => state.add(() => 0, "a", { rateLimited: true })).toThrow("rate limiter: when() returned NaN");
    expect(state.reports(0)).toEqual([]);
  });

  it("are ready at once when the limiter returns 0, also with a debounce", () => {
    const state = create({ rateLimiter: itemExponentialFailureRateLimiter(0, 0), debounce: { afterMs: 5, maxMs: 5 } });
    state.add(() => 0, "a", { rateLimited: true });
    expect(takeAll(state, 0)).toEqual(["a"]);
  });
});

describe("QueueState parking", () => {
  it("stops a key after maxAttempts retries and keeps the reason", () => {
    const state = create({ maxAttempts: 2 });
    state.add(() => 0, "a");
    for (const now of [0, 10, 30]) fail(state, now);
    expect(state.report(40, "a")).toEqual({
      key: "a",
      state: "parked",
      priority: 0,
      ageMs: 10,
      causes: [],
      causeCount: 0,
      attempts: 2,
      reason: "failed at 30",
    });
    expect([state.wakeAt, takeAll(state, 1e9)]).toEqual([Infinity, []]);
    state.add(() => 1e9, "a", { rateLimited: true });
    expect(state.report(1e9, "a")?.state).toBe("parked");
  });

  it("ends with the next event, which resets the attempts (§9.10)", () => {
    const state = create({ maxAttempts: 1 });
    state.add(() => 0, "a");
    fail(state, 0);
    fail(state, 10);
    expect(state.report(10, "a")?.state).toBe("parked");
    state.add(() => 20, "a", { cause: "edit" });
    expect(state.report(20, "a")).toMatchObject({ state: "ready", attempts: 0, causes: ["edit"] });
    fail(state, 20);
    expect([state.wakeAt, state.attempts("a")]).toEqual([30, 1]);
  });

  it("is avoided by an event during the last attempt, which resets the attempts", () => {
    const state = create({ maxAttempts: 1 });
    state.add(() => 0, "a");
    fail(state, 0);
    expect(state.take(10)?.key).toBe("a");
    state.add(() => 10, "a", { cause: "edit" });
    state.add(() => 10, "a", { rateLimited: true });
    state.done(() => 10, "a");
    expect(state.report(10, "a")).toMatchObject({ state: "ready", attempts: 0 });
    fail(state, 10);
    expect([state.wakeAt, state.attempts("a")]).toEqual([20, 1]);
  });

  it("ends with unpark or forget", () => {
    const state = create({ maxAttempts: 0 });
    state.add(() => 0, "a", { rateLimited: true, reason: "x".repeat(5000) });
    state.add(() => 0, "b", { rateLimited: true });
    expect(state.report(0, "a")?.reason).toHaveLength(1024);
    expect([state.unpark(5, "a"), state.unpark(5, "a"), state.unpark(5, "nobody")]).toEqual([true, false, false]);
    state.forget("b");
    expect([takeAll(state, 5), state.reports(5).map(({ key }) => key)]).toEqual([["a"], ["a"]]);
  });

  it("is still reported after shutDown", () => {
    const state = create({ maxAttempts: 0 });
    state.add(() => 0, "a", { rateLimited: true });
    expect([state.shutDown(0), state.unpark(0, "a"), state.report(0, "a")?.state]).toEqual([[], false, "parked"]);
  });
});

describe("QueueState debounce", () => {
  const debounce = { afterMs: 10, maxMs: 25 };

  it("waits until adds stop, but at most maxMs (§9.12)", () => {
    const state = create({ debounce });
    for (const now of [0, 8, 16]) state.add(() => now, "a", { cause: `at ${now}` });
    expect(state.wakeAt).toBe(25);
    state.add(() => 24, "a");
    expect([takeAll(state, 24), state.take(25)?.causeCount]).toEqual([[], 3]);
    state.add(() => 30, "b");
    expect([takeAll(state, 39), takeAll(state, 40)]).toEqual([[], ["b"]]);
  });

  it("starts again after each run", () => {
    const state = create({ debounce });
    state.add(() => 0, "a");
    expect(takeAll(state, 10)).toEqual(["a"]);
    state.add(() => 11, "a");
    state.done(() => 12, "a");
    expect([takeAll(state, 20), takeAll(state, 21)]).toEqual([[], ["a"]]);
  });

  it("does not defer a delay or retry that is due earlier", () => {
    const state = create({ debounce });
    state.add(() => 0, "a", { afterMs: 4 });
    state.add(() => 0, "a");
    expect(takeAll(state, 4)).toEqual(["a"]);
    state.add(() => 4, "b", { afterMs: 40 });
    state.add(() => 4, "b");
    expect([takeAll(state, 14), takeAll(state, 100)]).toEqual([["b"], []]);
  });

  it("does not defer a ready key", () => {
    const state = create({ debounce });
    state.add(() => 0, "a");
    state.tick(10);
    state.add(() => 10, "a");
    expect(takeAll(state, 10)).toEqual(["a"]);
  });
});

describe("QueueState tenants", () => {
  it("take turns, however many keys one of them has", () => {
    const state = create({ tenantOf: (key) => key.split("/")[0] ?? "" });
    for (let pod = 0; pod < 1000; pod++) state.add(() => 0, `noisy/${pod}`, { priority: 100 });
    for (const key of ["quiet/a", "calm/a", "quiet/b"]) state.add(() => 1, key, { priority: -100 });
    expect(takeAll(state, 1).slice(0, 6)).toEqual(["noisy/0", "quiet/a", "calm/a", "noisy/1", "quiet/b", "noisy/2"]);
  });

  it("leave the queue unchanged when tenantOf throws", () => {
    const state = create({
      tenantOf: () => {
        throw new Error("no tenant");
      },
    });
    expect(() => state.add(() => 0, "a")).toThrow("no tenant");
    expect([state.reports(0), state.readyCount]).toEqual([[], 0]);
  });
});

describe("QueueState.shutDown", () => {
  it("drops keys that are not due and returns them in the order of their due times", () => {
    const state = create();
    state.add(() => 0, "late", { afterMs: 50 });
    state.add(() => 0, "soon", { rateLimited: true });
    state.add(() => 0, "ready");
    expect(state.shutDown(0)).toEqual(["soon", "late"]);
    state.add(() => 0, "more");
    expect([takeAll(state, 100), state.shuttingDown]).toEqual([["ready"], true]);
  });
});

describe("QueueState.cancel", () => {
  it("cancels runs that are not due, and nothing else", () => {
    const state = create();
    state.add(() => 0, "a", { afterMs: 5, cause: "timer" });
    state.add(() => 0, "b");
    expect([state.cancel(0, "a"), state.cancel(0, "a"), state.cancel(0, "b"), state.cancel(0, "c")]).toEqual([true, false, false, false]);
    expect([takeAll(state, 10), state.reports(10).map(({ key }) => key)]).toEqual([["b"], ["b"]]);
  });
});
