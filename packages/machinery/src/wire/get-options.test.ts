import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeGetOptions, parseGetOptions } from "./get-options.ts";
import { QueryError, parseQuery } from "./query.ts";

describe("GetOptions", () => {
  it("round-trip through the query", () => {
    fc.assert(
      fc.property(fc.record({ resourceVersion: fc.string({ minLength: 1 }) }, { requiredKeys: [] }), (given) => {
        expect(parseGetOptions(parseQuery(encodeGetOptions(given)))).toEqual(given);
      }),
    );
  });
  it("reject export", () => {
    expect(() => parseGetOptions(parseQuery("export=true"))).toThrow(
      new QueryError("the export parameter, deprecated since v1.14, is no longer supported"),
    );
    expect(parseGetOptions(parseQuery("export=false&resourceVersion=0"))).toEqual({ resourceVersion: "0" });
  });
});
