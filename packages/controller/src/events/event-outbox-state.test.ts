import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventOutboxState } from "./event-outbox-state.ts";

describe("EventOutboxState", () => {
  it("returns each key once, the one that waited longest first", () => {
    const outbox = new EventOutboxState(10);
    for (const key of ["a", "b", "a"]) outbox.put(key);
    expect([outbox.take(0), outbox.take(0), outbox.take(0), outbox.size, outbox.running]).toEqual(["a", "b", undefined, 2, 2]);
  });

  it("returns a key again if it was added while it was being written", () => {
    const outbox = new EventOutboxState(10);
    outbox.put("a");
    outbox.take(0);
    outbox.put("a");
    expect(outbox.take(0)).toBeUndefined();
    outbox.done("a");
    expect([outbox.take(0), outbox.tries("a")]).toEqual(["a", 1]);
    outbox.done("a");
    expect([outbox.size, outbox.take(0)]).toEqual([0, undefined]);
  });

  it("evicts the key that waited longest, never one that is being written", () => {
    const outbox = new EventOutboxState(2);
    outbox.put("a");
    outbox.take(0);
    expect([outbox.put("b"), outbox.put("c"), outbox.put("d"), outbox.put("d")]).toEqual([undefined, "b", "c", undefined]);
    expect([outbox.take(0), outbox.put("e"), outbox.take(0)]).toEqual(["d", "e", undefined]);
  });

  it("does not return a key before its retry time, and returns others meanwhile", () => {
    const outbox = new EventOutboxState(10);
    for (const key of ["a", "b"]) outbox.put(key);
    outbox.take(0);
    outbox.retry("a", 100);
    expect([outbox.nextAt(), outbox.take(99), outbox.take(99), outbox.nextAt(), outbox.take(100), outbox.tries("a")]).toEqual([
      -Infinity,
      "b",
      undefined,
      100,
      "a",
      2,
    ]);
  });

  it("hurry makes all waiting keys available immediately", () => {
    const outbox = new EventOutboxState(10);
    outbox.put("a");
    outbox.take(0);
    outbox.retry("a", 100);
    outbox.hurry();
    expect(outbox.take(0)).toBe("a");
  });

  it("remove takes out a waiting key, never one that is being written", () => {
    const outbox = new EventOutboxState(3);
    for (const key of ["a", "b", "c"]) outbox.put(key);
    outbox.take(0);
    expect(outbox.waiting()).toEqual(["b", "c"]);
    for (const key of ["a", "b", "unknown"]) outbox.remove(key);
    expect([outbox.waiting(), outbox.size, outbox.running]).toEqual([["c"], 2, 1]);
  });

  it("putAll ignores the limit", () => {
    const outbox = new EventOutboxState(1);
    outbox.putAll(["a", "b", "c"]);
    expect([outbox.size, outbox.take(0), outbox.take(0), outbox.take(0)]).toEqual([3, "a", "b", "c"]);
  });

  it("rejects a size below 1", () => expect(() => new EventOutboxState(0)).toThrow("queueMax must be at least 1"));

  it("keeps its counters correct and its bound, for random operations", () => {
    const key = fc.constantFrom("a", "b", "c", "d", "e");
    const step = fc.oneof(
      fc.record({ do: fc.constant("put" as const), key }),
      fc.record({ do: fc.constantFrom("take" as const, "remove" as const, "done" as const, "retry" as const), key }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const outbox = new EventOutboxState(2);
        const running = new Set<string>();
        const wrong = steps.filter(({ do: what, key: of }, now) => {
          if (what === "put") outbox.put(of);
          else if (what === "take") {
            const taken = outbox.take(now);
            if (taken !== undefined && running.has(taken)) return true;
            if (taken !== undefined) running.add(taken);
          } else if (what === "remove") outbox.remove(of);
          else if (running.delete(of)) {
            if (what === "done") outbox.done(of);
            else outbox.retry(of, now + 3);
          }
          return outbox.running !== running.size || outbox.size > 2;
        });
        expect(wrong).toEqual([]);
      }),
    );
  });
});
