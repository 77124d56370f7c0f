import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatContentType, parseContentType } from "./content-type.ts";

describe("parseContentType", () => {
  it.each<[string, string, Record<string, string>]>([
    ["application/json", "application/json", {}],
    ["Application/JSON; Charset=utf-8", "application/json", { charset: "utf-8" }],
    [
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
      "application/json",
      { g: "apidiscovery.k8s.io", v: "v2", as: "APIGroupDiscoveryList" },
    ],
    [String.raw`text/plain; a="b;\"c"; d=e`, "text/plain", { a: 'b;"c', d: "e" }],
    ["application/json; ", "application/json", {}],
  ])("parses %j", (header, mediaType, parameters) => {
    expect(parseContentType(header)).toEqual({ mediaType, parameters: new Map(Object.entries(parameters)) });
  });
  it.each(["", "json", "application/", "a/b; c", "a/b; c=d; c=e", "a b/c", 'a/b;c="d'])("rejects %j", (header) =>
    expect(parseContentType(header)).toBeUndefined(),
  );

  it("round-trips", () => {
    const name = fc.stringMatching(/^[a-z0-9.+-]{1,8}$/);
    const parameters = fc.uniqueArray(fc.tuple(name, fc.string({ minLength: 1 })), { selector: ([key]) => key, maxLength: 3 });
    fc.assert(
      fc.property(name, name, parameters, (type, subtype, pairs) => {
        const given = { mediaType: `${type}/${subtype}`, parameters: new Map(pairs) };
        expect(parseContentType(formatContentType(given))).toEqual(given);
      }),
    );
  });
});
