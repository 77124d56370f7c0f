import { describe, expect, it } from "vitest";
import type { Operation } from "./history.ts";
import { findNoOrder } from "./linearizable.ts";
import { answer, content, operation, truthOf, version } from "./small-history.ts";

const one = version(11, content("1"));
const two = version(12, content("2"));
const wish = (text: string): Operation["wish"] => ({ data: { text }, labels: undefined, finalizers: undefined });
const truth = truthOf(["a", one.content], ["a", two.content], ["a", undefined]);
const created = operation("create", [1, 2], answer(201, one), { wish: wish("1") });
const patched = operation("patch", [3, 8], answer(200, two), { wish: wish("2") });
const isFine = (...operations: readonly Operation[]): boolean => findNoOrder(operations, undefined, truth) === undefined;

describe("findNoOrder", () => {
  it("finds an order of overlapping requests", () => {
    expect(isFine(created, patched, operation("get", [4, 5], answer(200, one)), operation("get", [6, 7], answer(200, two)))).toBe(true);
    expect(isFine(patched, operation("get", [4, 7], answer(200, two)), created)).toBe(true);
  });

  it("reports a stale read", () => {
    expect(isFine(created, patched, operation("get", [4, 5], answer(200, two)), operation("get", [6, 7], answer(200, one)))).toBe(false);
    expect(isFine(created, patched, operation("get", [9, 10], answer(200, one)))).toBe(false);
  });

  it("reports a read of a value not yet or no longer stored", () => {
    const deleted = operation("delete", [9, 10], answer(200));
    expect(isFine(operation("get", [0.1, 0.2], answer(200, one)), created)).toBe(false);
    expect(isFine(created, patched, deleted, operation("get", [11, 12], answer(404)))).toBe(true);
    expect(isFine(created, patched, deleted, operation("get", [11, 12], answer(200, two)))).toBe(false);
  });

  it("reports two successful writes of one version", () => {
    const winner = operation("put", [3, 8], answer(200, two), { expected: 11, wish: wish("2") });
    const other = operation("put", [4, 9], answer(200, version(13, content("3"))), { expected: 11, wish: wish("3") });
    expect(isFine(created, winner, { ...other, answer: answer(409, undefined, "Conflict") })).toBe(true);
    expect(isFine(created, winner, other)).toBe(false);
  });

  it("returns the longest order it found", () => {
    const late = operation("get", [9, 10], answer(200, one));
    expect(findNoOrder([created, patched, late], undefined, truth)).toEqual({ done: [created, patched], state: two, stuck: [late] });
  });

  it("lets a request without a response take effect at any time, or never", () => {
    const lost = operation("patch", [3, Infinity], undefined, { wish: wish("2") });
    expect(isFine(created, lost, operation("get", [20, 21], answer(200, one)))).toBe(true);
    expect(isFine(created, lost, operation("get", [20, 21], answer(200, two)))).toBe(true);
    expect(isFine(created, lost, operation("get", [20, 21], answer(200, two)), operation("get", [22, 23], answer(200, one)))).toBe(false);
    expect(isFine(created, operation("get", [20, 21], answer(200, two)))).toBe(false);
  });
});
