import { describe, expect, it } from "vitest";
import { printType } from "../check/cel-type.ts";
import { celType, requestBytesMax, schemaType, typeAt, withObjectFields } from "./schema-type.ts";

describe("schemas as types", () => {
  it("names objects after where they stand, and hides what has no type", () => {
    const type = schemaType(
      {
        type: "object",
        properties: {
          l: { type: "array", items: { type: "object", properties: { "a-b": { type: "string" } } } },
          x: { "x-kubernetes-preserve-unknown-fields": true },
        },
      },
      false,
    );
    if (type === undefined) throw new Error("no type");
    expect([...(type.fields ?? new Map()).keys()]).toEqual(["l"]);
    expect(printType(celType(type, "t"))).toBe("t");
    expect(printType(celType(typeAt(type, ["l"]) ?? type, "t.l"))).toBe("list(t.l.@idx)");
    expect(typeAt(type, ["l", "@items", "a__dash__b"])?.maxElements).toBe(requestBytesMax - 2);
  });

  it("counts characters as four bytes, and what is required as bytes on the wire", () => {
    expect(schemaType({ type: "string", maxLength: 5 }, false)?.maxElements).toBe(20);
    expect(schemaType({ type: "string", enum: ["a", "bbb"] }, false)?.maxElements).toBe(3);
    expect(schemaType({ type: "object", properties: { ab: { type: "integer" } }, required: ["ab"] }, false)?.minBytes).toBe(2 + 2 + 1 + 4);
  });

  it("gives the root of an object the fields every object has", () => {
    expect(Object.keys(withObjectFields({ type: "object" }).properties ?? {})).toEqual(["kind", "apiVersion", "metadata"]);
  });
});
