import { expect, it } from "vitest";
import { requestBody } from "./request-body.ts";

it("requestBody keeps text, bytes and streams, encodes objects and arrays as JSON, and returns undefined for undefined", () => {
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

it.each([5, true, null, () => 1, Symbol.iterator, 1n])("requestBody rejects %o", (value) => {
  expect(() => requestBody(value)).toThrow("unknown type used for body");
});

it("requestBody rejects values that JSON cannot represent, with their path", () => {
  expect(() => requestBody({ spec: { replicas: Number.NaN } })).toThrow("replicas");
});
