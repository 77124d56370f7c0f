import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoBudget, MessageMemo } from "./message-memo.ts";

const whole = (bytes: Uint8Array): readonly [Uint8Array, number, number] => [bytes, 0, bytes.length];
const memoOf = (bytes = 1024 * 1024): MessageMemo => new MessageMemo(new MemoBudget(bytes));
/** A different message for each number. */
const numbered = (number: number, length = 32): Uint8Array => {
  const bytes = new Uint8Array(length);
  new DataView(bytes.buffer).setUint32(length - 4, number);
  return bytes;
};

describe("MessageMemo", () => {
  it("returns a value only for the bytes it was kept for", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.uint8Array({ minLength: 10, maxLength: 24, max: 1 }), fc.nat(5), fc.nat(5)), { maxLength: 300 }),
        (messages) => {
          const memo = memoOf();
          for (const [bytes, before, after] of messages) {
            const source = new Uint8Array(before + bytes.length + after).fill(7);
            source.set(bytes, before);
            const [from, to] = [before, before + bytes.length];
            const found = memo.find(source, from, to);
            expect([undefined, bytes.join()]).toContain(found);
            if (found === undefined) memo.keep(source, from, to, bytes.join());
            // The buffer is reused.
            source.fill(9);
          }
        },
      ),
    );
  });

  it("finds equal bytes in another array and at another place", () => {
    const memo = memoOf();
    const value = {};
    memo.keep(...whole(numbered(1)), value);
    expect(memo.find(Uint8Array.from([9, ...numbered(1), 9]), 1, 33)).toBe(value);
    expect(memo.find(Buffer.from(numbered(1)), 0, 32)).toBe(value);
    expect(memo.find(...whole(numbered(2)))).toBeUndefined();
  });

  it("tells messages apart that differ only where they are not sampled", () => {
    // Of 64 bytes, every eighth from the end is sampled.
    const [a, b] = [new Uint8Array(64), new Uint8Array(64)];
    b[1] = 1;
    const memo = memoOf();
    memo.keep(...whole(a), "a");
    expect([memo.find(...whole(a)), memo.find(...whole(b))]).toEqual(["a", undefined]);
    memo.keep(...whole(b), "b");
    // They have one slot, so that the later one replaces the earlier one.
    expect([memo.find(...whole(a)), memo.find(...whole(b))]).toEqual([undefined, "b"]);
  });

  it.each([
    [15, false],
    [16, true],
    [4096, true],
    [4097, false],
  ])("of %i bytes: remembers them is %s", (length, isKept) => {
    const memo = memoOf();
    memo.keep(...whole(numbered(1, length)), "value");
    expect(memo.find(...whole(numbered(1, length)))).toBe(isKept ? "value" : undefined);
  });

  it("keeps at most 256 messages", () => {
    const memo = memoOf();
    for (let number = 0; number < 2000; number++) memo.keep(...whole(numbered(number)), number);
    const kept = Array.from({ length: 2000 }, (_, number) => number).filter((number) => {
      // A memo that finds little pauses.
      for (let hits = 0; hits < 3; hits++) memo.find(...whole(numbered(1999)));
      return memo.find(...whole(numbered(number))) !== undefined;
    });
    expect(kept.length).toBeGreaterThan(100);
    expect(kept.length).toBeLessThanOrEqual(256);
  });

  it("keeps no more bytes than the budget that it shares with others", () => {
    const budget = new MemoBudget(100);
    const [one, other] = [new MessageMemo(budget), new MessageMemo(budget)];
    one.keep(...whole(numbered(1, 60)), "one");
    other.keep(...whole(numbered(1, 60)), "too much");
    other.keep(...whole(numbered(1, 40)), "fits");
    expect([one.find(...whole(numbered(1, 60))), other.find(...whole(numbered(1, 60))), other.find(...whole(numbered(1, 40)))]).toEqual([
      "one",
      undefined,
      "fits",
    ]);
  });

  it("pauses when too little is the same, and tries again later", () => {
    const memo = memoOf();
    const same = numbered(0);
    memo.keep(...whole(same), "same");
    // A trial of 256 lookups, of which fewer than a quarter are hits.
    for (let number = 1; number <= 256; number++) memo.find(...whole(numbered(number)));
    expect(memo.find(...whole(same))).toBeUndefined();
    memo.keep(...whole(numbered(1)), "not kept in the pause");
    let lookups = 2;
    while (memo.find(...whole(same)) === undefined && lookups < 10_000) lookups++;
    expect(lookups).toBeGreaterThan(4000);
    expect(lookups).toBeLessThan(5000);
    expect(memo.find(...whole(numbered(1)))).toBeUndefined();
  });

  it("goes on as long as a quarter of the messages is the same", () => {
    const memo = memoOf();
    const same = numbered(0);
    let hits = 0;
    for (let number = 1; number <= 10_000; number++) {
      const bytes = number % 3 === 0 ? same : numbered(number);
      if (memo.find(...whole(bytes)) === undefined) memo.keep(...whole(bytes), number);
      else hits++;
    }
    // Some of them were replaced by others in their slot.
    expect(hits).toBeGreaterThan(3000);
  });
});

describe("MemoBudget", () => {
  it("counts what is replaced", () => {
    const budget = new MemoBudget(10);
    expect([budget.replace(0, 8), budget.replace(0, 3), budget.replace(8, 10), budget.replace(0, 1), budget.replace(10, 0)]).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
    expect(budget.replace(0, 10)).toBe(true);
  });
});
