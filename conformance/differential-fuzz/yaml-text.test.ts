import type { JsonValue } from "@drover/machinery";
import { parseFirstYaml } from "@drover/yaml";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { yamlText } from "./yaml-text.ts";

describe("yamlText", () => {
  it("writes block style", () => {
    expect(yamlText({ a: [{ b: "1", c: {} }, []], d: null }).trim()).toBe('"a": \n  - "b": "1"\n    "c": {}\n  - []\n"d": null');
  });
  it("is read back as the same value", () => {
    const word = fc.constantFrom("a", "b c", "yes", "1", "", "#", "- x");
    const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        word,
        fc.integer({ max: 9 }),
        fc.constantFrom(null, true),
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(word, tie("tree"), { maxKeys: 3, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        expect(parseFirstYaml(yamlText(value).trim())).toEqual(value);
      }),
    );
  });
});
