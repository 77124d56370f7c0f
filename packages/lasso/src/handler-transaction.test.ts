import { describe, expect, it } from "vitest";
import { newHandlerTransaction } from "./handler-transaction.ts";

describe("HandlerTransaction", () => {
  it("does nothing before commit, and then runs all steps in order, once", () => {
    const transaction = newHandlerTransaction(new AbortController().signal);
    const done: string[] = [];
    transaction.add(() => done.push("a"));
    transaction.add(() => done.push("b"));
    expect(done).toEqual([]);
    transaction.commit();
    transaction.commit();
    transaction.rollback();
    expect(done).toEqual(["a", "b"]);
    expect(() => transaction.add(() => undefined)).toThrow("already committed");
  });

  it("discards its steps on rollback", () => {
    const transaction = newHandlerTransaction(new AbortController().signal);
    const done: string[] = [];
    transaction.add(() => done.push("a"));
    transaction.rollback();
    expect(() => transaction.commit()).toThrow("rolled back");
    expect(() => transaction.add(() => undefined)).toThrow("already rolled back");
    expect(done).toEqual([]);
  });
});
