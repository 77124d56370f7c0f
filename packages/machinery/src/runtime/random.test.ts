import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRandom, pick, shuffle } from "./random.ts";

const golden = {
  next: [0.07852799262500954, 0.9038510858907955, 0.4929095564603361],
  int: [456, 830, 956, 988, 684, 887, 271, 449],
  bigInt: [692052611271966, 249871239437162, 57642422947505],
  stream: 0.0499876486904266,
  text: 0.816673342956873,
  shuffled: "egfbchad",
};

describe("createRandom", () => {
  it("gives the same numbers for the same seed forever", () => {
    const random = createRandom(1);
    expect([random.next(), random.next(), random.next()]).toEqual(golden.next);
    expect(Array.from({ length: 8 }, () => random.int(1000))).toEqual(golden.int);
    expect(Array.from({ length: 3 }, () => random.int(2 ** 50))).toEqual(golden.bigInt);
    expect(random.stream("jitter").next()).toBe(golden.stream);
    expect(createRandom("a long seed, as text: ü").next()).toBe(golden.text);
    expect(shuffle(createRandom(2), "abcdefgh".split("")).join("")).toBe(golden.shuffled);
  });

  it("treats number, bigint and text seeds alike, and different seeds differently", () => {
    expect(createRandom(7n).next()).toBe(createRandom(7).next());
    expect(createRandom("7").next()).toBe(createRandom(7).next());
    expect(new Set(Array.from({ length: 1000 }, (_, seed) => createRandom(seed).next())).size).toBe(1000);
  });

  it("derives a stream from the seed and the name, not from what was drawn", () => {
    const [fresh, used] = [createRandom(3), createRandom(3)];
    for (let draws = 0; draws < 100; draws++) used.next();
    expect(used.stream("a").next()).toBe(fresh.stream("a").next());
    used.stream("a").next();
    expect(used.next()).not.toBe(fresh.next());
  });

  it("separates streams with different paths", () => {
    const root = createRandom("1");
    const firsts = [
      root,
      root.stream(""),
      root.stream("a"),
      root.stream("a").stream("b"),
      root.stream("ab"),
      root.stream("b").stream("a"),
      root.stream("a1:b"),
      createRandom("11:a"),
      createRandom(""),
    ];
    expect(new Set(firsts.map((random) => random.next())).size).toBe(firsts.length);
  });

  it("is uniform over [0, 1), in every bit", () => {
    const random = createRandom(5);
    const buckets = Array.from({ length: 10 }, () => 0);
    const bits = Array.from({ length: 53 }, () => 0);
    for (let draw = 0; draw < 20_000; draw++) {
      const value = random.next();
      buckets[Math.floor(value * 10)] = (buckets[Math.floor(value * 10)] ?? 0) + 1;
      const whole = BigInt(value * 2 ** 53);
      for (let bit = 0; bit < 53; bit++) bits[bit] = (bits[bit] ?? 0) + Number((whole >> BigInt(bit)) & 1n);
    }
    for (const count of buckets) expect(Math.abs(count - 2_000)).toBeLessThan(250); // about six standard deviations
    for (const count of bits) expect(Math.abs(count - 10_000)).toBeLessThan(425);
  });

  it("draws integers below any bound without bias", () => {
    const random = createRandom(6);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (bound) => {
        const value = random.int(bound);
        expect(Number.isInteger(value) && value >= 0 && value < bound).toBe(true);
      }),
    );
    // With a bound of three quarters of the range, taking remainders of all draws would give the lower third twice as often.
    const low = Array.from({ length: 9000 }, () => random.int(3 * 2 ** 30)).filter((value) => value < 2 ** 30).length;
    expect(Math.abs(low - 3000)).toBeLessThan(270);
  });

  it("rejects bounds that are not integers from 1 on", () => {
    for (const bound of [0, -1, 1.5, NaN, Infinity, 2 ** 53]) expect(() => createRandom(1).int(bound)).toThrow(RangeError);
  });
});

describe("shuffle and pick", () => {
  it("shuffles a copy, every order equally likely", () => {
    const random = createRandom(8);
    const items = Object.freeze(["a", "b", "c"]);
    const counts = new Map<string, number>();
    for (let turn = 0; turn < 6000; turn++) {
      const order = shuffle(random, items).join("");
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).toBe(6);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(180);
  });

  it("picks one of the items, and requires one", () => {
    expect(["a", "b"]).toContain(pick(createRandom(1), ["a", "b"]));
    expect(() => pick(createRandom(1), [])).toThrow("there are no items");
  });
});
