import { expect, it } from "vitest";
import { requestBody } from "./request-body.ts";

it("sends text, bytes and streams as they are, objects and lists as JSON, and nothing for undefined", () => {
  const bytes = new Uint8Array([1]);
  async function* chunks() {
    yield "a";
  }
  const stream = chunks();
  expect(requestBody("x")).toEqual({ body: "x", isJson: false });
  expect(requestBody(bytes)).toEqual({ body: bytes, isJson: false });
  expect(requestBody(stream)?.body).toBe(stream);
  expect(requestBody({ a: 1 })).toEqual({ body: '{"a":1}', isJson: true });
  expect(requestBody([1])).toEqual({ body: "[1]", isJson: true });
  expect(requestBody(undefined)).toBeUndefined();
});

it.each([5, true, null, () => 1, Symbol.iterator, 1n])("refuses %o", (value) => {
  expect(() => requestBody(value)).toThrow("unknown type used for body");
});

it("refuses what JSON has no form for, with its path", () => {
  expect(() => requestBody({ spec: { replicas: Number.NaN } })).toThrow("replicas");
});
