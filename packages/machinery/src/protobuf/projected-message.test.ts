import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MessageProjection } from "./projected-message.ts";
import type { MessageFields } from "./projected-message.ts";
import { ProtobufWriter } from "./protobuf-writer.ts";

/** A message as a list of its fields. */
type Written = readonly { readonly number: number; readonly value: number | Uint8Array | Written }[];

// Few numbers, so that messages have declared fields; 20 needs two bytes.
const number = fc.constantFrom(1, 2, 3, 15, 20);
const { message } = fc.letrec<{ message: Written }>((tie) => ({
  message: fc.array(
    fc.record({
      number,
      value: fc.oneof(
        { maxDepth: 4 },
        fc.nat(),
        fc.double({ noInteger: true, noNaN: true }),
        fc.uint8Array({ maxLength: 200 }),
        tie("message"),
      ),
    }),
    { maxLength: 6 },
  ),
}));
const { fields } = fc.letrec<{ fields: MessageFields }>((tie) => ({
  fields: fc
    .array(fc.tuple(number, fc.oneof({ maxDepth: 3 }, fc.constant("whole" as const), tie("fields"))), { maxLength: 4 })
    .map((entries) => Array.from({ length: 21 }, (_, index) => entries.find(([each]) => each === index)?.[1])),
}));

function write(writer: ProtobufWriter, fieldsOf: Written): void {
  for (const { number: field, value } of fieldsOf) {
    if (typeof value === "number") {
      if (Number.isInteger(value)) writer.int64(field, value);
      else writer.double(field, value);
    } else if (value instanceof Uint8Array) writer.bytes(field, value);
    else writer.message(field, (inner) => write(inner, value));
  }
}

function encoded(written: Written): Uint8Array {
  const writer = new ProtobufWriter();
  write(writer, written);
  return writer.finish();
}

/** Returns only what is declared; undefined where fields of something are declared that is no message. */
function kept(written: Written, declared: MessageFields): Written | undefined {
  const result: Written[number][] = [];
  for (const field of written) {
    const wanted = declared[field.number];
    if (wanted === "whole") result.push(field);
    else if (wanted !== undefined) {
      const value = Array.isArray(field.value) ? kept(field.value as Written, wanted) : undefined;
      if (value === undefined) return undefined;
      result.push({ number: field.number, value });
    }
  }
  return result;
}

const project = (bytes: Uint8Array, declared: MessageFields): Uint8Array | undefined =>
  new MessageProjection(declared).project(bytes, 0, bytes.length);

describe("MessageProjection", () => {
  it("gives the bytes of a message that has only the declared fields", () => {
    fc.assert(
      fc.property(message, fields, (written, declared) => {
        const expected = kept(written, declared);
        // Random bytes may look like a message.
        fc.pre(expected !== undefined);
        expect(project(encoded(written), declared)).toEqual(encoded(expected));
      }),
    );
  });

  it("projects a part of an array, and one after another", () => {
    const bytes = encoded([
      { number: 1, value: 7 },
      {
        number: 2,
        value: [
          { number: 1, value: 1 },
          { number: 3, value: 3 },
        ],
      },
    ]);
    const around = Uint8Array.from([0xff, 0xff, ...bytes, 0xff]);
    const projection = new MessageProjection([undefined, undefined, [undefined, undefined, undefined, "whole"]]);
    for (let round = 0; round < 2; round++)
      expect(projection.project(around, 2, 2 + bytes.length)).toEqual(encoded([{ number: 2, value: [{ number: 3, value: 3 }] }]));
  });

  it("writes the length of a long message anew", () => {
    const long = (value: number): Written => [
      { number: 1, value: new Uint8Array(value) },
      { number: 2, value: new Uint8Array(20_000) },
    ];
    for (const size of [0, 100, 125, 126, 127, 128, 16_380, 16_384])
      expect(project(encoded([{ number: 3, value: long(size) }]), [undefined, undefined, undefined, [undefined, "whole"]])).toEqual(
        encoded([{ number: 3, value: [{ number: 1, value: new Uint8Array(size) }] }]),
      );
  });

  it.each([
    ["a group", [0x0b, 0x0c]],
    ["a length beyond the message", [0x0a, 5, 1]],
    ["a length beyond the inner message", [0x12, 2, 0x0a, 5, 1, 1, 1]],
    ["a number that never ends", [0x08, 0xff, 0xff]],
    ["field 0", [0x00, 1]],
    ["a number where a message is declared", [0x10, 1]],
    ["a number of a field beyond 28 bits", [0xf8, 0xff, 0xff, 0xff, 0x0f, 1]],
  ])("gives up on %s", (_, bytes) => {
    expect(project(Uint8Array.from(bytes), [undefined, "whole", ["whole", "whole"]])).toBeUndefined();
  });

  it("never throws, whatever the bytes are", () => {
    fc.assert(
      fc.property(message, fields, fc.nat(), fc.nat({ max: 255 }), (written, declared, at, byte) => {
        const bytes = encoded(written);
        bytes[at % (bytes.length || 1)] = byte;
        const result = project(bytes, declared);
        expect(result === undefined || result.length <= bytes.length).toBe(true);
      }),
    );
  });
});
