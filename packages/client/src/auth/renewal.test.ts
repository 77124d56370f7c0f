import { describe, expect, it } from "vitest";
import { testRuntime } from "@drover/machinery/testing";
import { Renewal } from "./renewal.ts";
import type { Freshness } from "./renewal.ts";

interface Value {
  readonly name: string;
  readonly until: number;
}

function setUp(
  script: readonly (string | Error)[],
  { lifeMs = 1000, old = "usable", ...options }: { lifeMs?: number; old?: Freshness; pauseMaxMs?: number; initial?: Value } = {},
) {
  const { clock, log } = testRuntime();
  let attempts = 0;
  const renewal = new Renewal<Value>({
    clock,
    log,
    subject: "the value",
    renew: async () => {
      const next = script[attempts++] ?? new Error("the script is over");
      if (next instanceof Error) throw next;
      return { name: next, until: clock.monotonic() + lifeMs };
    },
    freshness: ({ until }) => (clock.monotonic() < until ? "fresh" : old),
    isSame: (a, b) => a.name === b.name,
    ...options,
  });
  return { clock, log, renewal, attempts: () => attempts };
}

describe("Renewal", () => {
  it("gets the value once, and again when it is no longer fresh", async () => {
    const { clock, renewal, attempts } = setUp(["a", "b"]);
    expect(renewal.current).toBeUndefined();
    expect((await renewal.get()).name).toBe("a");
    await clock.advance(999);
    expect((await renewal.get()).name).toBe("a");
    await clock.advance(1);
    expect((await renewal.get()).name).toBe("b");
    expect(attempts()).toBe(2);
  });

  it("starts with the initial value", async () => {
    const { renewal, attempts } = setUp([], { initial: { name: "given", until: 5000 } });
    expect((await renewal.get()).name).toBe("given");
    expect(attempts()).toBe(0);
  });

  it("returns the old value while it is usable, waits 1 s, 2 s, 4 s … between attempts, and logs each attempt once", async () => {
    const { clock, log, renewal, attempts } = setUp(["a", new Error("1"), new Error("2"), new Error("3"), "b"]);
    await renewal.get();
    await clock.advance(1000);
    const seen: [number, number][] = [];
    for (let second = 0; second < 8; second++) {
      await Promise.all([renewal.get(), renewal.get()]);
      seen.push([second, attempts()]);
      await clock.advance(1000);
    }
    expect(seen).toEqual([
      [0, 2],
      [1, 3],
      [2, 3],
      [3, 4],
      [4, 4],
      [5, 4],
      [6, 4],
      [7, 5],
    ]);
    expect(renewal.current?.name).toBe("b");
    expect(log.entries.filter(({ level }) => level === "warn")).toHaveLength(3);
  });

  it("throws the error when the old value has expired, without a new attempt before the delay is over", async () => {
    const { clock, renewal, attempts } = setUp(["a", new Error("gone"), "b"], { old: "expired" });
    await renewal.get();
    await clock.advance(1000);
    await expect(renewal.get()).rejects.toThrow("gone");
    await expect(renewal.get()).rejects.toThrow("gone");
    expect(attempts()).toBe(2);
    await clock.advance(1000);
    expect((await renewal.get()).name).toBe("b");
  });

  it("never waits longer than pauseMaxMs", async () => {
    const { clock, renewal, attempts } = setUp([new Error("1"), new Error("2"), new Error("3"), "a"], { pauseMaxMs: 1500 });
    for (const pause of [1000, 1500, 1500]) {
      await expect(renewal.get()).rejects.toThrow();
      await clock.advance(pause - 1);
      const before = attempts();
      await expect(renewal.get()).rejects.toThrow();
      expect(attempts()).toBe(before);
      await clock.advance(1);
    }
    expect((await renewal.get()).name).toBe("a");
  });

  it("replaces a rejected value once, however many callers report it", async () => {
    const { renewal, attempts } = setUp(["a", "b"]);
    await renewal.get();
    const refused = (value: Value): boolean => value.name === "a";
    expect(await Promise.all([renewal.replace(refused), renewal.replace(refused)])).toEqual([true, true]);
    expect(await renewal.replace(refused)).toBe(true);
    expect(attempts()).toBe(2);
    expect(renewal.current?.name).toBe("b");
  });

  it("resolves to false when the renewed value is the same, and does not renew again before a delay", async () => {
    const { clock, renewal, attempts } = setUp(["a", "a", "a", "b"]);
    await renewal.get();
    expect(await Promise.all([renewal.replace(() => true), renewal.replace(() => true)])).toEqual([false, false]);
    expect(await renewal.replace(() => true)).toBe(false);
    expect(attempts()).toBe(2);
    await clock.advance(999);
    expect(await renewal.replace(() => true)).toBe(false);
    await clock.advance(1);
    expect(await renewal.replace(() => true)).toBe(false);
    expect(attempts()).toBe(3);
    await clock.advance(1000);
    expect(await renewal.replace(() => true)).toBe(false);
    expect(attempts()).toBe(3);
    await clock.advance(1000);
    expect(await renewal.replace(() => true)).toBe(true);
  });

  it("resolves to false when the renewal fails, keeps the value and logs it", async () => {
    const { log, renewal } = setUp(["a", new Error("broken")]);
    await renewal.get();
    expect(await renewal.replace(() => true)).toBe(false);
    expect(renewal.current?.name).toBe("a");
    expect(log.lines.join()).toContain("broken");
  });

  it("resolves to true when there is no value yet: the next get has one", async () => {
    expect(await setUp(["a"]).renewal.replace(() => true)).toBe(true);
  });

  it("passes an abort through unchanged and does not count the attempt as failed", async () => {
    const { clock, log } = testRuntime();
    let attempts = 0;
    const renewal = new Renewal<string>({
      clock,
      log,
      subject: "the value",
      freshness: () => "fresh",
      isSame: (a, b) => a === b,
      renew: (_previous, signal) =>
        new Promise((resolve, reject) => {
          if (++attempts === 2) resolve("second");
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        }),
    });
    const controller = new AbortController();
    const reason = new Error("enough");
    const first = renewal.get({ signal: controller.signal });
    controller.abort(reason);
    await expect(first).rejects.toBe(reason);
    await expect(renewal.replace(() => true, { signal: controller.signal })).rejects.toBe(reason);
    expect(await renewal.get()).toBe("second");
    expect(log.lines).toEqual([]);
  });

  it("drops the result of an aborted attempt that ends after a later one", async () => {
    const { clock, log } = testRuntime();
    const ends: ((value: string) => void)[] = [];
    const renewal = new Renewal<string>({
      clock,
      log,
      subject: "the value",
      freshness: () => "fresh",
      isSame: (a, b) => a === b,
      renew: () => new Promise((resolve) => void ends.push(resolve)),
    });
    const controller = new AbortController();
    const first = renewal.get({ signal: controller.signal });
    await Promise.resolve();
    controller.abort(new Error("enough"));
    await expect(first).rejects.toThrow("enough");
    const second = renewal.get();
    await Promise.resolve();
    ends[1]?.("later");
    expect(await second).toBe("later");
    ends[0]?.("earlier");
    await clock.advance(0);
    expect(renewal.current).toBe("later");
  });
});
