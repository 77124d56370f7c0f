import { describe, expect, it } from "vitest";
import { parseFirstYaml, parseYaml, parseYamlDocuments } from "./parse.ts";
import { YamlError } from "./yaml-error.ts";

const failure = (text: string, options = {}): string => {
  try {
    parseYaml(text, options);
  } catch (error) {
    if (error instanceof YamlError) return error.message;
    throw error;
  }
  throw new Error(`no error for ${JSON.stringify(text)}`);
};

describe("parseYaml", () => {
  it("parses a manifest", () => {
    expect(
      parseYaml(`
apiVersion: v1
kind: ConfigMap
metadata:
  name: web   # a comment
  labels: {app: web, "tier": 'front'}
data:
  script: |
    #!/bin/sh
    echo "hi"
  folded: >-
    one
    two

    three
  list:
  - a
  - - b
    - c: d
`),
    ).toEqual({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "web", labels: { app: "web", tier: "front" } },
      data: { script: '#!/bin/sh\necho "hi"\n', folded: "one two\nthree", list: ["a", ["b", { c: "d" }]] },
    });
  });

  it("parses JSON as JSON", () => {
    const value = { a: [1, -2.5, 'x\n"y"', true, null, {}], "b/c": [] };
    expect(parseYaml(JSON.stringify(value))).toEqual(value);
    expect(parseYaml(JSON.stringify(value, null, 2))).toEqual(value);
  });

  it("parses an empty text as null", () => {
    for (const text of ["", "\n", "# only a comment", "---\n", "\ufeff"]) expect(parseYaml(text)).toBeNull();
  });

  it("names line and column of a syntax error (§3.22)", () => {
    expect(failure("a: b: c")).toBe("yaml: line 1, column 5: mapping values are not allowed in this context");
    expect(failure("a: 1\n\tb: 2")).toBe("yaml: line 2, column 1: found a tab character that violates indentation");
    expect(failure("a:\n\tb: 2")).toBe("yaml: line 2, column 1: found character that cannot start any token");
    expect(failure("a: [1, 2")).toBe("yaml: line 1, column 9: did not find expected ',' or ']'");
    expect(failure("a:\n  - x\n b: 1")).toContain("line 3, column 2: did not find expected");
    expect(failure('a: "x')).toBe("yaml: line 1, column 6: found unexpected end of stream");
    expect(failure("a: *nope")).toBe("yaml: line 1, column 4: unknown anchor 'nope' referenced");
    expect(failure("x\u0000y")).toBe("yaml: line 1, column 2: control characters are not allowed");
    expect(failure("a: 1\nb\nc: 2")).toBe("yaml: line 2, column 1: could not find expected ':'");
    expect(failure("\ud800")).toContain("control characters are not allowed");
    expect(new YamlError("x", { line: 0, column: 1 })).toMatchObject({ line: 1, column: 2, reason: "Invalid" });
  });

  it("rejects numbers that JSON lacks, and keeps 64-bit integers exact", () => {
    expect(failure("a: .inf")).toBe("yaml: line 1, column 4: JSON has no number .inf; put it in quotes if you mean text");
    expect(failure("a: .nan")).toContain("JSON has no number .nan");
    expect(parseYaml("[9007199254740991, 9007199254740993, -9223372036854775808, 18446744073709551615]")).toEqual([
      9007199254740991,
      9007199254740993n,
      -9223372036854775808n,
      18446744073709551615n,
    ]);
  });

  it("rejects a second document", () => {
    expect(failure("a: 1\n---\nb: 2")).toBe("yaml: line 3, column 1: there is a second document; read such texts with parseYamlDocuments");
    expect(parseYaml("---\na: 1\n...\n")).toEqual({ a: 1 });
  });

  it("rejects texts that are too long, too deep or too widely aliased (X3, S6)", () => {
    expect(failure("abc", { lengthMax: 2 })).toContain("the text has 3 characters, more than the 2 allowed");
    expect(failure("[".repeat(100_000))).toContain("nested more than 1000 levels deep");
    expect(failure("- ".repeat(100_000))).toContain("nested more than 1000 levels deep");
    expect(failure("[[[x]]]", { depthMax: 2 })).toContain("nested more than 2 levels deep");
    expect(parseYaml("[".repeat(900) + "]".repeat(900))).toHaveLength(1);
    const laughs = [
      "a0: &a0 [lol,lol,lol,lol,lol,lol,lol,lol,lol,lol]",
      ...Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array.from({ length: 10 }, () => `*a${n}`).join(",")}]`),
    ];
    expect(failure(laughs.join("\n"))).toContain("document contains excessive aliasing");
    expect(failure("&a [*a]")).toBe("yaml: line 1, column 5: anchor 'a' value contains itself");
    const ladder = Array.from(
      { length: 30 },
      (_, n) => `a${n + 1}: &a${n + 1} ${"[".repeat(90)}${n === 0 ? "x" : `*a${n}`}${"]".repeat(90)}`,
    );
    expect(failure(ladder.join("\n"))).toMatch(/nested more than 1000 levels deep|excessive aliasing/);
  });

  it("takes time proportional to the text", () => {
    const times = process.env["DROVER_LONG"] === "1" ? 20_000 : 5000;
    const hostile = [
      "[{",
      "{a: ",
      "a: &a ",
      "- - ",
      "? ",
      "&a",
      "!!str ",
      "'a' ",
      "\n\n",
      "# x\n",
      "a,",
      "*a,",
      "<<: {},",
      "k: v\n ",
      "x ",
      "\\",
      '"\\x41',
    ].flatMap((piece) => [
      piece.repeat(times),
      `[${piece.repeat(times)}`,
      `{${piece.repeat(times)}`,
      `${"[".repeat(900)}${piece.repeat(times)}`,
    ]);
    const started = performance.now();
    for (const text of hostile) {
      try {
        parseYaml(text);
      } catch (error) {
        expect(error).toBeInstanceOf(YamlError);
      }
    }
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});

describe("parseYamlDocuments", () => {
  it("returns every document except empty ones (§3.22)", () => {
    expect(parseYamlDocuments("---\na: 1\n---\n# nothing\n---\n- 2\n...\n---\n--- 3\n")).toEqual([{ a: 1 }, [2], 3]);
    expect(parseYamlDocuments("")).toEqual([]);
  });

  it("scopes anchors and directives to their document", () => {
    expect(() => parseYamlDocuments("&a 1\n---\n*a")).toThrow("unknown anchor 'a'");
    expect(parseYamlDocuments("%TAG !e! tag:example.test,2000:\n---\n!e!x text\n---\n!y z")).toEqual(["text", "z"]);
    expect(() => parseYamlDocuments("%TAG !e! tag:example.test,2000:\n---\na\n---\n!e!x text")).toThrow("found undefined tag handle");
  });
});

describe("parseFirstYaml", () => {
  it("parses the first document and ignores the rest", () => {
    expect(parseFirstYaml("a: 1\n---\nb: [")).toEqual({ a: 1 });
    expect(parseFirstYaml("---\na: 1\n...\n]")).toEqual({ a: 1 });
    expect(parseFirstYaml("")).toBeNull();
  });

  it("reports duplicate keys to onDuplicateKey, and the last wins", () => {
    const told: unknown[] = [];
    expect(parseFirstYaml("a: 1\nb: {c: 1, c: 2}\na:\n  3\n7: x\n7: z\n", { onDuplicateKey: (duplicate) => told.push(duplicate) })).toEqual(
      { a: 3, b: { c: 2 }, "7": "z" },
    );
    expect(told).toEqual([
      { key: '"c"', line: 2 },
      { key: '"a"', line: 4 },
      { key: "7", line: 6 },
    ]);
    expect(() => parseFirstYaml("a: 1\na: 2")).toThrow(YamlError);
  });

  it("returns the problem without its position, too", () => {
    expect(() => parseFirstYaml("a: b: c")).toThrow(
      expect.objectContaining({ problem: "mapping values are not allowed in this context", line: 1 }),
    );
  });
});
