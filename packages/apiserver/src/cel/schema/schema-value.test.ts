import { describe, expect, it } from "vitest";
import { isFailure } from "../value/failure.ts";
import { schemaValue } from "./schema-value.ts";

describe("schemaValue", () => {
  it("types data by its schema rather than by its JSON", () => {
    expect([
      schemaValue(1, { type: "number" }),
      schemaValue(1, { type: "integer" }),
      schemaValue(2n ** 60n, { type: "integer" }),
      schemaValue(5, { "x-kubernetes-int-or-string": true }),
    ]).toEqual([1, 1n, 2n ** 60n, 5n]);
    expect(schemaValue("aGk=", { type: "string", format: "byte" })).toEqual(Uint8Array.of(104, 105));
    expect(schemaValue("2 weeks", { type: "string", format: "duration" })).toMatchObject({ nanos: 1_209_600_000_000_000n });
    expect(schemaValue("a/==", { type: "string", format: "byte" })).toMatchObject({
      message: "Invalid byte formatted string a/==: illegal base64 data at input byte 1",
    });
  });

  it("treats null as absent, and keys of data as data", () => {
    const object = schemaValue(JSON.parse('{"a": null, "b-c": 1, "__proto__": 2}') as Record<string, null>, {
      type: "object",
      properties: { a: { type: "string", nullable: true }, "b-c": { type: "integer" } },
    });
    if (typeof object !== "object" || object === null || !("kind" in object) || object.kind !== "map") throw new Error("no map");
    expect([object.find("a"), object.find("b__dash__c"), object.find("constructor"), object.find("__proto__")]).toEqual([
      undefined,
      1n,
      undefined,
      undefined,
    ]);
    expect([...object.unknown().keys()]).toEqual(["__proto__"]);
    expect(isFailure(schemaValue(null, { type: "string" }))).toBe(true);
  });
});
