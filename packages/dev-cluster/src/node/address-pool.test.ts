import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AddressPool } from "./address-pool.ts";

describe("AddressPool", () => {
  it("allocates from the third address of the range", () => {
    const pool = new AddressPool("10.244.1.0/24");
    expect([pool.take("a"), pool.take("b"), pool.take("a")]).toEqual(["10.244.1.2", "10.244.1.3", "10.244.1.2"]);
  });

  it("is exhausted until an address is given back", () => {
    const pool = new AddressPool("10.0.0.0/29");
    const taken = ["a", "b", "c", "d", "e"].map((holder) => pool.take(holder));
    expect(taken).toEqual(["10.0.0.2", "10.0.0.3", "10.0.0.4", "10.0.0.5", "10.0.0.6"]);
    expect(pool.take("f")).toBeUndefined();
    pool.giveBack("c");
    expect(pool.take("f")).toBe("10.0.0.4");
  });

  it("keeps a holder's earlier address, unless it is taken or outside the range", () => {
    const pool = new AddressPool("10.0.0.0/24");
    expect(pool.take("a", "10.0.0.9")).toBe("10.0.0.9");
    expect(pool.take("b", "10.0.0.9")).toBe("10.0.0.2");
    expect(pool.take("c", "192.168.0.1")).toBe("10.0.0.3");
  });

  it.each(["", "10.0.0.0", "10.0.0.0/30", "10.0.0.256/24", "::1/64"])("rejects the range %j", (range) => {
    expect(() => new AddressPool(range)).toThrow(/must be like "10.244.1.0\/24"/);
  });

  it("reserves addresses from before it was created", () => {
    const pool = new AddressPool("10.244.1.0/24");
    pool.keep("old", "10.244.1.2");
    expect([pool.take("new"), pool.take("old")]).toEqual(["10.244.1.3", "10.244.1.2"]);
    pool.keep("third", "10.244.1.3");
    pool.keep("new", "10.244.1.9");
    pool.keep("fourth", "10.244.7.7");
    expect([pool.take("third"), pool.take("new"), pool.take("fourth")]).toEqual(["10.244.1.4", "10.244.1.3", "10.244.1.5"]);
  });

  it("never allocates an address twice", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ holder: fc.nat(12), gives: fc.boolean() }), { maxLength: 100 }), (steps) => {
        const pool = new AddressPool("10.1.0.0/28");
        const held = new Map<number, string>();
        for (const { holder, gives } of steps) {
          if (gives) {
            pool.giveBack(String(holder));
            held.delete(holder);
            continue;
          }
          const address = pool.take(String(holder));
          if (address !== undefined) held.set(holder, address);
          expect(address === undefined).toBe(!held.has(holder));
          expect(new Set(held.values()).size).toBe(held.size);
        }
      }),
    );
  });
});
