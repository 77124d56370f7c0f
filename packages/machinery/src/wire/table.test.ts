import { describe, expect, it } from "vitest";
import { printFieldErrors } from "../field/field-error-text.ts";
import { parseQuery } from "./query.ts";
import { parseIncludeObject, validateIncludeObject } from "./table.ts";

describe("includeObject", () => {
  it("defaults to the metadata", () => {
    expect(
      ["", "includeObject=", "includeObject=None", "includeObject=Object"].map((query) => parseIncludeObject(parseQuery(query))),
    ).toEqual(["Metadata", "Metadata", "None", "Object"]);
  });
  it("is one of three values", () => {
    expect(validateIncludeObject("Object")).toEqual([]);
    expect(printFieldErrors(validateIncludeObject("x"))).toBe(
      `includeObject: Invalid value: "x": must be 'Metadata', 'Object', 'None', or empty`,
    );
  });
});
