import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { errorCause, errorCode, errorName, errorStack, errorText, errorsOf, isError, isInstanceOf } from "./error-text.ts";
import { byteLength } from "./go/byte-text.ts";
import { hostileValues } from "./testing/hostile-values.ts";

const limit = 64 * 1024;

describe("errorText", () => {
  it("returns an error's message and other values as text", () => {
    expect([errorText(new TypeError("no room")), errorText("gone"), errorText(undefined)]).toEqual(["no room", "gone", "undefined"]);
  });

  it("returns the name of an error without a message, and the messages of an AggregateError without one", () => {
    expect([errorText(new TypeError("")), errorText(""), errorText(new AggregateError([new Error("a"), "b"]))]).toEqual([
      "TypeError",
      "an error without a message",
      "a; b",
    ]);
  });

  it("does not throw for a value without a text", () => {
    expect(errorText(Object.create(null))).toBe("a value that cannot be printed");
  });

  it("returns the message of an error of another realm", () => {
    const foreign: unknown = runInNewContext("new TypeError('foreign')");
    expect([errorText(foreign), errorName(foreign), isError(foreign), isInstanceOf(foreign, Error)]).toEqual([
      "foreign",
      "TypeError",
      true,
      false,
    ]);
  });

  it("cuts a message of 100 MB between two characters, and says how much is missing (SEC6)", () => {
    const text = errorText(new Error("😀".repeat(25 * 2 ** 20)));
    expect(byteLength(text)).toBeLessThan(limit + 40);
    expect(text).toMatch(/^(?:😀){16384}… 52396032 more$/u);
  });

  it("keeps a text of exactly the limit", () => {
    expect(errorText("x".repeat(limit))).toHaveLength(limit);
    expect(errorText("x".repeat(limit + 1))).toBe(`${"x".repeat(limit)}… 1 more`);
  });
});

describe("errorCode", () => {
  it("returns the code of an error of Node, and nothing else", () => {
    const error = (code: unknown): Error => Object.assign(new Error("x"), { code });
    expect([errorCode(error("ENOENT")), errorCode(error(404)), errorCode({ code: "ENOENT" })]).toEqual(["ENOENT", undefined, undefined]);
  });
});

describe("errorsOf", () => {
  it("returns as many errors as asked for", () => {
    expect(errorsOf(new AggregateError([1, 2, 3]), 2)).toEqual([1, 2]);
    expect([errorsOf(new Error("x"), 2), errorsOf("x", 2)]).toEqual([[], []]);
  });
});

describe("every accessor", () => {
  it.each(hostileValues.map(({ name, make }) => [name, make] as const))("reads %s without throwing (SEC6)", (_, make) => {
    const texts = [errorText(make()), errorName(make()), errorStack(make()) ?? "-", errorCode(make()) ?? "-"];
    for (const text of texts) {
      expect(text).toBeTypeOf("string");
      expect(text.length).toBeGreaterThan(0);
      expect(byteLength(text)).toBeLessThan(limit + 40);
    }
    expect(() => [errorCause(make()), isError(make()), isInstanceOf(make(), TypeError)]).not.toThrow();
    expect(errorsOf(make(), 5).length).toBeLessThanOrEqual(5);
  });
});
