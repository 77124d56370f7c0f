import { describe, expect, it } from "vitest";
import { UnmarshalError } from "./unmarshal-error.ts";

describe("UnmarshalError", () => {
  it("names the struct and the path of the field", () => {
    expect(UnmarshalError.mismatch("number", "string", { struct: "ObjectMeta", fields: ["metadata", "name"] }).message).toBe(
      "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string",
    );
    expect(UnmarshalError.mismatch("array", "v1.Pod").message).toBe("json: cannot unmarshal array into Go value of type v1.Pod");
  });
  it("within prefixes the outer path", () => {
    const inner = UnmarshalError.mismatch("string", "bool", { struct: "JSONSchemaProps", fields: ["nullable"] });
    expect(inner.within({ struct: "Outer", fields: ["a", "items"] }).message).toBe(
      "json: cannot unmarshal string into Go struct field Outer.a.items.nullable of type bool",
    );
    expect(inner.within(undefined)).toBe(inner);
    expect(UnmarshalError.plain("no such luck").within({ struct: "Outer", fields: ["a"] }).message).toBe("no such luck");
  });
});
