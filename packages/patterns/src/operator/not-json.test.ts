import fc from "fast-check";
import { expect, it } from "vitest";
import { notJson } from "./not-json.ts";

it.each([
  [{ data: { at: new Date(0) } }, "data.at", "a Date"],
  [{ spec: { ports: [{ port: 80 }, { port: Number.NaN }] } }, "spec.ports[1].port", "NaN"],
  [{ data: new Map([["a", "b"]]) }, "data", "a Map"],
  [{ spec: { args: new Set(["a"]) } }, "spec.args", "a Set"],
  [{ data: { key: new Uint8Array(2) } }, "data.key", "bytes"],
  [{ data: { a: () => "b" } }, "data.a", "a function"],
  [{ data: { a: Promise.resolve("b") } }, "data.a", "a promise"],
  [{ data: { a: Symbol("b") } }, "data.a", "a symbol"],
  [{ data: { a: /b/ } }, "data.a", "a regular expression"],
  [{ data: { a: new URL("https://example.com") } }, "data.a", "an object with a method toJSON"],
])("notJson names field and value of %o", (value, field, what) => {
  expect(notJson(value)).toMatchObject({ field, what });
});

it("notJson finds an object that contains itself", () => {
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  expect(notJson(circle)?.what).toBe("nested too deeply, or contains itself");
});

it("notJson finds nothing in JSON, nor in undefined fields", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => notJson(value) === undefined));
  expect(notJson({ a: undefined, b: 1n })).toBeUndefined();
});
