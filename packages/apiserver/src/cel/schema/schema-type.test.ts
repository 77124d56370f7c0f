import { describe, expect, it } from "vitest";
import { printType } from "../check/cel-type.ts";
import { celType, requestBytesMax, schemaType, typeAt, withObjectFields } from "./schema-type.ts";

describe("schemaType", () => {
  it("names objects after their path, and hides fields without a type", () => {
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

  it("counts characters as four bytes, and required fields as bytes of JSON", () => {
    expect(schemaType({ type: "string", maxLength: 5 }, false)?.maxElements).toBe(20);
    expect(schemaType({ type: "string", enum: ["a", "bbb"] }, false)?.maxElements).toBe(3);
    expect(schemaType({ type: "object", properties: { ab: { type: "integer" } }, required: ["ab"] }, false)?.minBytes).toBe(2 + 2 + 1 + 4);
  });

  it("adds the fields of every object at the root", () => {
    expect(Object.keys(withObjectFields({ type: "object" }).properties ?? {})).toEqual(["kind", "apiVersion", "metadata"]);
  });
});
