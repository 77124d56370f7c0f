/** Reads protobuf messages without their schema. */
import { expect } from "vitest";

interface Field {
  readonly field: number;
  readonly value: number | Uint8Array;
}

/** Parses one message without its schema. */
function fieldsOf(bytes: Uint8Array): Field[] {
  const fields: Field[] = [];
  let next = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[next++] ?? expect.fail("the message ends too soon");
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (next < bytes.length) {
    const key = varint();
    const take = (size: number): Uint8Array => bytes.subarray(next, (next += size));
    const value = key % 8 === 0 ? varint() : take(key % 8 === 1 ? 8 : varint());
    fields.push({ field: Math.floor(key / 8), value });
  }
  return fields;
}

/** Returns all values at a path of field numbers; strings are decoded. */
export function messageAt(bytes: Uint8Array, ...path: readonly number[]): (number | string)[] {
  const [field, ...rest] = path;
  const values = fieldsOf(bytes)
    .filter((entry) => entry.field === field)
    .map(({ value }) => value);
  if (rest.length > 0)
    return values.flatMap((value) => (typeof value === "number" ? expect.fail("a number has no fields") : messageAt(value, ...rest)));
  return values.map((value) => (typeof value === "number" ? value : new TextDecoder().decode(value)));
}
