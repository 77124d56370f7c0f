import { describe, expect, it } from "vitest";
import { parseJson } from "./json-parser.ts";

// What it reads and how it refuses is compared with the engine in json-decode.test.ts, and with Kubernetes in
// conformance/go-libraries/wire-json.test.ts.
describe("parseJson", () => {
  it("reports a syntax error before a number that is too large", () => {
    expect(() => parseJson("[1e400,x]", { maxDepth: 5 })).toThrow("invalid character 'x' looking for beginning of value");
    expect(() => parseJson("[1e400,2e400]", { maxDepth: 5 })).toThrow(
      "json: cannot unmarshal number 1e400 into Go value of type float64 (line 1, column 7, offset 6)",
    );
  });
  it("shortens a number that is too long to print", () => {
    expect(() => parseJson("9".repeat(5000), { maxDepth: 5 })).toThrow(`json: cannot unmarshal number ${"9".repeat(100)}… into`);
  });
  it("keeps dangerous keys harmless", () => {
    const value = parseJson('{"__proto__":{"polluted":true}}', { maxDepth: 5 });
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
  it("distinguishes an empty key from none in the path of a duplicate", () => {
    const paths: string[] = [];
    parseJson('{"":{"a":1,"a":2},"b":[[{"":1,"":2}]]}', { maxDepth: 5, onDuplicateField: (path) => paths.push(path) });
    expect(paths).toEqual([".a", "b[0][0]."]);
  });
});
