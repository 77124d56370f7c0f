import { describe, expect, it } from "vitest";
import type { Ranked } from "./ready-line.ts";
import { ReadyOrder } from "./ready-order.ts";

interface Owned extends Ranked {
  readonly tenant: string;
  readonly name: string;
}
const owned = (name: string, score: number): Owned => ({ name, tenant: name.slice(0, 1), score, sequence: score, place: 0, inHeap: false });
const names = (order: ReadyOrder<Owned>): string[] => {
  const all: string[] = [];
  for (let next = order.shift(); next !== undefined; next = order.shift()) all.push(next.name);
  return all;
};

describe("ReadyOrder", () => {
  it("lets tenants take turns and orders each by rank", () => {
    const order = new ReadyOrder<Owned>({ byTenant: true });
    for (const one of [owned("a1", 1), owned("a2", 2), owned("a0", 0), owned("b1", 9), owned("c1", 3), owned("c2", 4)]) order.push(one);
    expect(names(order)).toEqual(["a0", "b1", "c1", "a1", "c2", "a2"]);
  });

  it("orders by rank alone without byTenant", () => {
    const order = new ReadyOrder<Owned>({ byTenant: false });
    for (const one of [owned("a1", 1), owned("a2", 2), owned("b0", 0)]) order.push(one);
    expect(names(order)).toEqual(["b0", "a1", "a2"]);
  });

  it("keeps a tenant's turn when one of its keys moves", () => {
    const order = new ReadyOrder<Owned>({ byTenant: true });
    const [first, second] = [owned("a1", 5), owned("b1", 1)];
    order.push(first);
    order.push(second);
    order.move(first, -3, 7);
    expect([first.score, first.sequence]).toEqual([-3, 7]);
    expect(names(order)).toEqual(["a1", "b1"]);
  });

  it("puts a returning tenant behind those that have waited", () => {
    const order = new ReadyOrder<Owned>({ byTenant: true });
    order.push(owned("a1", 1));
    order.push(owned("b1", 2));
    expect(order.shift()?.name).toBe("a1");
    order.push(owned("a2", 3));
    expect(names(order)).toEqual(["b1", "a2"]);
  });
});
