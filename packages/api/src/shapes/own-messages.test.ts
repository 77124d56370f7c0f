import { decodeJson, encodeJson } from "@drover/machinery";
import type { JsonValue } from "@drover/machinery";
import { ProtobufWriter } from "@drover/machinery/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OwnName } from "./go-type.ts";
import { OwnMessages } from "./own-messages.ts";
import { TextTable } from "./text-table.ts";

const written = (write: (writer: ProtobufWriter) => void): Uint8Array => {
  const writer = new ProtobufWriter();
  write(writer);
  return writer.finish();
};

/** Reads a message that has other bytes around it. */
const read = (name: OwnName, bytes: Uint8Array, messages = new OwnMessages(new TextTable())): JsonValue => {
  const source = Uint8Array.from([0x0a, 0x08, ...bytes, 0x10, 0x00, 0x08, 0x01]);
  return messages.read(name, source, 2, 2 + bytes.length, (schema) => ({ schema: [...schema].join() }));
};

const [year0, year1, year1970, year10000] = [-62_167_219_200, -62_135_596_800, 0, 253_402_300_800];
const seconds = fc.oneof(
  fc.integer({ min: year0, max: year10000 - 1 }),
  fc.integer({ min: 1_700_000_000, max: 1_700_000_200 }),
  fc.constantFrom(year0, year1970 - 1, year1970, 127, 128, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 35 - 1, 2 ** 35, year10000 - 1),
);
const iso = (value: number): string => new Date(value * 1000).toISOString().replace(".000Z", "Z");

describe("OwnMessages", () => {
  it("reads every time, however often and in whatever order", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(seconds, fc.constantFrom(undefined, 0, 5)), { maxLength: 20 }), (times) => {
        const messages = new OwnMessages(new TextTable());
        for (const [value, nanos] of [...times, ...times]) {
          const bytes = written((writer) => {
            writer.int64(1, value);
            if (nanos !== undefined) writer.int64(2, nanos);
          });
          expect(read("Time", bytes, messages)).toBe(value === year1 ? null : iso(value));
        }
      }),
    );
  });

  it("reads the zero time as null", () => {
    for (const name of ["Time", "MicroTime"] as const) {
      expect(read(name, new Uint8Array())).toBeNull();
      expect(
        read(
          name,
          written((writer) => writer.int64(1, year1)),
        ),
      ).toBeNull();
    }
    // The message has a field, so that it is a time.
    expect(
      read(
        "Time",
        written((writer) => writer.int64(2, 0)),
      ),
    ).toBe("1970-01-01T00:00:00Z");
  });

  it("refuses a year that RFC 3339 cannot write", () => {
    for (const value of [year0 - 1, year10000, -(2n ** 63n), 2n ** 63n - 1n])
      for (const name of ["Time", "MicroTime"] as const)
        expect(() =>
          read(
            name,
            written((writer) => writer.int64(1, value)),
          ),
        ).toThrow("year outside of range [0,9999]");
  });

  it("reads micro times, and drops nanoseconds", () => {
    fc.assert(
      fc.property(seconds, fc.nat(999_999_999), (value, nanos) => {
        const bytes = written((writer) => (writer.int64(1, value), writer.int64(2, nanos)));
        const micros = String(Math.floor(nanos / 1000)).padStart(6, "0");
        expect(read("MicroTime", bytes)).toBe(value === year1 && nanos < 1000 ? null : iso(value).replace("Z", `.${micros}Z`));
      }),
    );
  });

  it("reads quantities as they are written, and 0 for none", () => {
    const table = new OwnMessages(new TextTable());
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom("100m", "1Gi", "x".repeat(125), "x".repeat(126), "x".repeat(200))),
        (text) => {
          expect(
            read(
              "Quantity",
              written((writer) => writer.string(1, text)),
              table,
            ),
          ).toBe(text);
        },
      ),
    );
    expect([read("Quantity", new Uint8Array()), read("Quantity", Uint8Array.of(0x0a, 0))]).toEqual(["0", "0"]);
    const twice = written((writer) => (writer.string(1, "1"), writer.string(9, ""), writer.string(1, "2")));
    expect(read("Quantity", twice)).toBe("2");
    expect(() => read("Quantity", Uint8Array.of(0x08, 1))).toThrow("proto: wrong wireType = 0 for field String_");
    expect(() => read("Quantity", Uint8Array.of(0x0a, 2, 0x31))).toThrow("unexpected EOF");
  });

  it("reads quantities with the function it is given", () => {
    const messages = new OwnMessages(new TextTable(), { quantity: (text) => `<${text}>` });
    const texts = ["1", "x".repeat(200), ""];
    expect(
      texts.map((text) =>
        read(
          "Quantity",
          written((writer) => writer.string(1, text)),
          messages,
        ),
      ),
    ).toEqual(["<1>", `<${"x".repeat(200)}>`, "0"]);
  });

  it("reads numbers or texts", () => {
    const message = (type: number | bigint, number: number, text: string): Uint8Array =>
      written((writer) => (writer.int64(1, type), writer.int64(2, number), writer.string(3, text)));
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.constantFrom(0, 127, 128, -1)), fc.string(), (number, text) => {
        expect(read("IntOrString", message(0, number, ""))).toBe(number);
        expect(read("IntOrString", message(0, number, text))).toBe(number);
        expect(read("IntOrString", message(1, number, text))).toBe(text);
      }),
    );
    expect(read("IntOrString", new Uint8Array())).toBe(0);
    expect(() => read("IntOrString", message(2, 0, ""))).toThrow("impossible IntOrString.Type");
    expect(() => read("IntOrString", message(2n ** 32n, 0, ""))).toThrow("impossible IntOrString.Type");
  });

  it.each(["RawExtension", "FieldsV1", "JSON"] as const)("reads the JSON inside a %s", (name) => {
    const message = (text: string): Uint8Array => written((writer) => writer.string(1, text));
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(encodeJson(read(name, message(text)))).toBe(encodeJson(decodeJson(text)));
      }),
    );
    expect(read(name, message('{"f:a":{},"big":9007199254740993}'))).toEqual({ "f:a": {}, big: 9_007_199_254_740_993n });
    expect([read(name, new Uint8Array()), read(name, message(""))]).toEqual([null, null]);
    expect(() => read(name, message("{"))).toThrow(`json: error calling MarshalJSON for type ${name}: `);
  });

  it("reads a schema or what may replace it", () => {
    const schema = { schema: "1,2" };
    const bool = (allows: boolean, hasSchema = false): Uint8Array =>
      written((writer) => {
        writer.bool(1, allows);
        if (hasSchema) writer.bytes(2, Uint8Array.of(1, 2));
      });
    expect([bool(true), bool(false), bool(true, true), new Uint8Array()].map((bytes) => read("JSONSchemaPropsOrBool", bytes))).toEqual([
      true,
      false,
      schema,
      false,
    ]);
    const several = written((writer) => (writer.bytes(2, Uint8Array.of(1, 2)), writer.bytes(2, Uint8Array.of(1, 2))));
    const one = written((writer) => writer.bytes(1, Uint8Array.of(1, 2)));
    expect([one, several, new Uint8Array()].map((bytes) => read("JSONSchemaPropsOrArray", bytes))).toEqual([
      schema,
      [schema, schema],
      null,
    ]);
    const names = written((writer) => (writer.string(2, "a"), writer.string(2, "")));
    expect([one, names, new Uint8Array()].map((bytes) => read("JSONSchemaPropsOrStringArray", bytes))).toEqual([schema, ["a", ""], null]);
    expect(
      read(
        "JSONSchemaPropsOrArray",
        written((writer) => writer.string(3, "unknown")),
      ),
    ).toBeNull();
  });

  it("throws only a ProtobufError, whatever the bytes are", () => {
    const names = [
      "Time",
      "MicroTime",
      "Quantity",
      "IntOrString",
      "JSON",
      "JSONSchemaPropsOrBool",
      "JSONSchemaPropsOrStringArray",
    ] as const;
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.uint8Array({ maxLength: 12 }), (name, bytes) => {
        try {
          read(name, bytes);
        } catch (error) {
          expect(error).toHaveProperty("name", "ProtobufError");
        }
      }),
    );
  });
});
