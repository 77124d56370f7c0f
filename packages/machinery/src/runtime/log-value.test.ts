import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostileValues } from "../testing/hostile-values.ts";
import { logValue } from "./log-value.ts";
import { Secret } from "./secret.ts";

describe("logValue", () => {
  it("keeps plain data as it is, and makes the rest readable", () => {
    expect(logValue({ a: [1, "x", true, null], b: undefined })).toEqual({ a: [1, "x", true, null] });
    expect(logValue([2n ** 64n, NaN, -Infinity, Symbol("s"), function named() {}, undefined])).toEqual([
      "18446744073709551616",
      "NaN",
      "-Infinity",
      "Symbol(s)",
      "[function named]",
      null,
    ]);
    expect(logValue(new Map<unknown, unknown>([["a", 1n]]))).toEqual({ a: "1" });
    expect(logValue(new Map<unknown, unknown>([[1, "x"]]))).toEqual([[1, "x"]]);
    expect(logValue(new Set(["a"]))).toEqual(["a"]);
    expect(logValue([new Uint8Array(3), new ArrayBuffer(4), new URL("https://example.test/x")])).toEqual([
      "[3 bytes]",
      "[4 bytes]",
      "https://example.test/x",
    ]);
  });

  it("shows errors with name, message, reason and causes, and their stack only on request", () => {
    const cause = Object.assign(new TypeError("inner"), { code: "E_INNER" });
    const error = Object.assign(new Error("outer", { cause }), { reason: "Conflict" });
    expect(logValue(error)).toEqual({
      name: "Error",
      message: "outer",
      reason: "Conflict",
      cause: { name: "TypeError", message: "inner", code: "E_INNER" },
    });
    expect(logValue([error], { errors: "sentence" })).toEqual(["outer: inner"]);
    expect(logValue(error, { errors: "stack" })).toMatchObject({ stack: error.stack, cause: { stack: cause.stack } });
    expect(logValue(new AggregateError([new Error("a"), "b"], "all"))).toEqual({
      name: "AggregateError",
      message: "all",
      errors: [{ name: "Error", message: "a" }, "b"],
    });
  });

  it("redacts values under secret names at any depth, but not whether there is one (X12)", () => {
    const shown = logValue({
      headers: { Authorization: "Bearer abc", accept: "x" },
      token: null,
      password: false,
      credentials: { user: "u" },
      nested: [new Map([["api-key", "k"]])],
    });
    expect(shown).toEqual({
      headers: { Authorization: "[redacted]", accept: "x" },
      token: null,
      password: false,
      credentials: "[redacted]",
      nested: [{ "api-key": "[redacted]" }],
    });
    expect(logValue({ login: new Secret("hunter2") })).toEqual({ login: "[redacted]" });
    expect(
      JSON.stringify(logValue(Object.assign(new Error("x"), { request: { headers: { authorization: "Bearer abc" } } }))),
    ).not.toContain("abc");
  });

  it("redacts the values of a Kubernetes Secret anywhere", () => {
    expect(logValue({ objects: [{ kind: "Secret", data: { user: "dQ==" } }] })).toEqual({
      objects: [{ kind: "Secret", data: { user: "[redacted]" } }],
    });
  });

  it("cuts off circular, deep, long and numerous values, but shows a repeated object twice", () => {
    const circle: Record<string, unknown> = { name: "a" };
    circle["self"] = { circle };
    expect(logValue(circle)).toEqual({ name: "a", self: { circle: "[circular]" } });
    const shared = { x: 1 };
    expect(logValue([shared, shared])).toEqual([shared, shared]);
    let deep: unknown = "bottom";
    for (let level = 0; level < 5_000; level++) deep = { deep };
    expect(JSON.stringify(logValue(deep))).toContain("[too deep]");
    expect((logValue(Array.from({ length: 2_000 }, () => 0)) as unknown[]).at(-1)).toBe("… 1000 more");
    expect(
      Object.entries(logValue(Object.fromEntries(Array.from({ length: 1_002 }, (_, index) => [`k${index}`, 0]))) as object).at(-1),
    ).toEqual(["…", "2 more"]);
    expect((logValue("x".repeat(70_000)) as string).slice(-12)).toBe("x… 4464 more");
  });

  it("survives getters, proxies and toJSON that throw, and keys like __proto__", () => {
    expect(
      logValue({
        get bad(): never {
          throw new Error("no");
        },
      }),
    ).toBe("[unreadable: no]");
    expect(
      logValue({
        inner: {
          toJSON: (): never => {
            throw new Error("no");
          },
        },
        b: 1,
      }),
    ).toEqual({ inner: "[unreadable: no]", b: 1 });
    const hostile: unknown = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("trap");
        },
      },
    );
    expect(logValue(hostile)).toBe("[unreadable: trap]");
    const proto = logValue(JSON.parse('{"__proto__":{"polluted":1}}')) as object;
    expect(Object.keys(proto)).toEqual(["__proto__"]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("shows at most 128 KiB of a value, however often its parts occur (SEC6)", () => {
    let doubled: unknown = "x".repeat(10_000);
    for (let level = 0; level < 5; level++) doubled = [doubled, { doubled }];
    const shown = JSON.stringify(logValue({ doubled, after: "y" }));
    expect(shown.length).toBeLessThan(256 * 1024);
    expect(shown).toContain("more");
    expect(JSON.stringify(logValue({ list: Array.from({ length: 900 }, () => "z".repeat(1_000)) })).length).toBeLessThan(140_000);
  });

  it("shows the readable fields of an error beside one that throws (SEC6)", () => {
    const error = Object.assign(new Error("half"), { code: "E_HALF" });
    Object.defineProperty(error, "detail", {
      enumerable: true,
      get: () => {
        throw new Error("no");
      },
    });
    Object.defineProperty(error, "cause", { get: () => Symbol("why") });
    expect(logValue(error)).toEqual({ name: "Error", message: "half", code: "E_HALF", detail: "[unreadable: no]", cause: "Symbol(why)" });
  });

  it.each(hostileValues.map(({ name, make }) => [name, make] as const))("shows %s as bounded JSON (SEC6)", (_, make) => {
    const shown = JSON.stringify(logValue({ error: make(), errors: [make()] }, { errors: "stack" }));
    expect(shown.length).toBeLessThan(256 * 1024);
  });

  it("returns JSON for any value", () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withMap: true,
          withSet: true,
          withDate: true,
          withTypedArray: true,
          withNullPrototype: true,
          withSparseArray: true,
        }),
        (value) => {
          const line = JSON.stringify(logValue({ value }));
          expect(JSON.stringify(JSON.parse(line))).toBe(line);
        },
      ),
    );
  });
});
