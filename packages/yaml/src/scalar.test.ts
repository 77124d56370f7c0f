import { describe, expect, it } from "vitest";
import { parseYaml } from "./parse.ts";

describe("scalarValue", () => {
  it("follows the tag rather than the text", () => {
    expect(
      parseYaml(
        '[!!str 1, !!int "1", !!float 1, !!bool "yes", !!null "", ! 1, !local 1, !<tag:yaml.org,2002:str> 1, !!timestamp 2001-01-01]',
      ),
    ).toEqual(["1", 1, 1, true, null, "1", "1", "1", "2001-01-01"]);
  });

  it("rejects text that does not fit its tag", () => {
    expect(() => parseYaml("a: !!int x")).toThrow("yaml: line 1, column 4: cannot decode !!str `x` as a !!int");
    expect(() => parseYaml("!!int 1.5")).toThrow("cannot decode !!float `1.5` as a !!int");
    expect(() => parseYaml("!!float 18446744073709551615")).toThrow("cannot decode !!int");
  });

  it("decodes binary data that is text, and rejects the rest", () => {
    expect(parseYaml("[!!binary aGVsbG8=, !!binary aGVs, !!binary aGU=, !!binary '', !!binary w7w=]")).toEqual([
      "hello",
      "hel",
      "he",
      "",
      "ü",
    ]);
    expect(() => parseYaml("!!binary a")).toThrow("!!binary value contains invalid base64 data");
    expect(() => parseYaml("!!binary /w==")).toThrow("is not UTF-8 text");
  });
});
