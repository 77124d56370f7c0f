import { JsonError } from "@drover/machinery";
import { ProtobufError } from "@drover/machinery/protobuf";
import { describe, expect, it } from "vitest";
import { formatProblem, jsonFormat } from "./object-format.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("jsonFormat", () => {
  it("returns the labels of an object, and none if it has none", () => {
    expect(jsonFormat.labels(bytes('{"metadata":{"name":"a","labels":{"app":"web","__proto__":"x"}}}'))).toEqual(
      JSON.parse('{"app":"web","__proto__":"x"}'),
    );
    expect(jsonFormat.labels(bytes('{"metadata":{"name":"a"}}')) ?? {}).toEqual({});
  });

  it("leaves labels that cannot be decoded to the decoder", () => {
    expect(jsonFormat.labels(bytes('{"metadata":{"name":"a","labels":{"app":tru}}}'))).toBeUndefined();
  });

  it("decodes objects, with or without managed fields", () => {
    const object = bytes('{"metadata":{"name":"a","managedFields":[]}}');
    expect(jsonFormat.decode(object)).toEqual({ metadata: { name: "a", managedFields: [] } });
    expect(jsonFormat.decode(object, { dropManagedFields: true })).toEqual({ metadata: { name: "a" } });
  });
});

describe("formatProblem", () => {
  it("says which format the bytes do not have, and nothing about other errors", () => {
    expect(formatProblem(new JsonError("syntax", "expected an object"))).toBe("it is not JSON: expected an object");
    expect(formatProblem(new ProtobufError("unexpected EOF"))).toBe("it is not protobuf: unexpected EOF");
    for (const other of [new TypeError("a bug"), undefined, "text"]) expect(formatProblem(other)).toBeUndefined();
  });
});
