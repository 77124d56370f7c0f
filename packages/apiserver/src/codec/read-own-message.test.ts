import { describe, expect, it } from "vitest";
import { ProtobufReader, ProtobufWriter } from "@drover/machinery/protobuf";
import type { JsonValue } from "@drover/machinery";
import { readOwnMessage } from "./read-own-message.ts";
import { StructShape } from "@drover/api/shapes";
import type { OwnName } from "@drover/api/shapes";

const schema = new StructShape("v1.JSONSchemaProps", "JSONSchemaProps", () => ({ fields: [], message: [] }));

/** Reads back the written message; a schema is its text. */
const read = (name: OwnName, write: (writer: ProtobufWriter) => void): JsonValue => {
  const writer = new ProtobufWriter();
  writer.message(1, write);
  const reader = new ProtobufReader(writer.finish());
  reader.next("Holder");
  return readOwnMessage(reader, { kind: "own", goType: name, name, schema }, (inner, _shape, into) => {
    into["title"] = inner.string();
  });
};

describe("readOwnMessage", () => {
  it("reads quantities in canonical form", () => {
    expect(read("Quantity", (writer) => writer.string(1, "1000m"))).toBe("1");
    expect(read("Quantity", () => undefined)).toBe("0");
    expect(() => read("Quantity", (writer) => writer.string(1, "abc"))).toThrow("quantities must match the regular expression");
  });

  it("reads IntOrString as number or string", () => {
    expect(read("IntOrString", () => undefined)).toBe(0);
    expect(read("IntOrString", (writer) => writer.int64(2, -3))).toBe(-3);
    expect(
      read("IntOrString", (writer) => {
        writer.int64(1, 1);
        writer.string(3, "25%");
      }),
    ).toBe("25%");
    expect(() => read("IntOrString", (writer) => writer.int64(1, 2))).toThrow("impossible IntOrString.Type");
  });

  it("reads Time and MicroTime, and null for the zero time", () => {
    expect(read("Time", () => undefined)).toBeNull();
    expect(read("Time", (writer) => writer.int64(1, 0))).toBe("1970-01-01T00:00:00Z");
    expect(
      read("Time", (writer) => {
        writer.int64(1, 1_700_000_000);
        writer.int64(2, 999_999_999);
      }),
    ).toBe("2023-11-14T22:13:20Z");
    expect(
      read("MicroTime", (writer) => {
        writer.int64(1, 1_700_000_000);
        writer.int64(2, 123_456_789);
      }),
    ).toBe("2023-11-14T22:13:20.123456Z");
    expect(() => read("Time", (writer) => writer.int64(1, 1e15))).toThrow("year outside of range");
  });

  it("reads embedded JSON", () => {
    expect(read("RawExtension", (writer) => writer.string(1, '{"a":9007199254740993}'))).toEqual({ a: 9007199254740993n });
    expect(read("FieldsV1", () => undefined)).toBeNull();
    expect(() => read("JSON", (writer) => writer.string(1, "{"))).toThrow("unexpected end of JSON input");
  });

  it("reads schemas and their alternatives", () => {
    expect(read("JSONSchemaPropsOrBool", (writer) => writer.bool(1, true))).toBe(true);
    expect(read("JSONSchemaPropsOrBool", () => undefined)).toBe(false);
    expect(
      read("JSONSchemaPropsOrBool", (writer) => {
        writer.bool(1, true);
        writer.string(2, "s");
      }),
    ).toEqual({ title: "s" });
    expect(read("JSONSchemaPropsOrArray", (writer) => writer.string(1, "s"))).toEqual({ title: "s" });
    expect(read("JSONSchemaPropsOrArray", (writer) => ["a", "b"].forEach((title) => writer.string(2, title)))).toEqual([
      { title: "a" },
      { title: "b" },
    ]);
    expect(read("JSONSchemaPropsOrStringArray", (writer) => ["a", "b"].forEach((text) => writer.string(2, text)))).toEqual(["a", "b"]);
    expect(read("JSONSchemaPropsOrStringArray", () => undefined)).toBeNull();
  });
});
