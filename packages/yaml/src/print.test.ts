import { jsonEqual } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseYaml } from "./parse.ts";
import { printYaml } from "./print.ts";

describe("printYaml", () => {
  it("prints a manifest as kubectl does", () => {
    expect(
      printYaml({
        kind: "ConfigMap",
        apiVersion: "v1",
        metadata: { name: "web", labels: {}, ownerReferences: [{ name: "a", kind: "B" }], finalizers: [] },
        data: { script: "#!/bin/sh\necho hi\n", yes: "no", number: "0777", empty: "", list: [["a", "b"], [[]], { c: null }] },
      }),
    ).toBe(`apiVersion: v1
data:
  empty: ""
  list:
  - - a
    - b
  - - []
  - c: null
  number: "0777"
  script: |
    #!/bin/sh
    echo hi
  "yes": "no"
kind: ConfigMap
metadata:
  finalizers: []
  labels: {}
  name: web
  ownerReferences:
  - kind: B
    name: a
`);
  });

  it("puts long and multi-line keys after a question mark", () => {
    expect(printYaml({ ["k".repeat(129)]: [1], "a\nb": { c: 1 } })).toBe(`? |-\n  a\n  b\n: c: 1\n? ${"k".repeat(129)}\n: - 1\n`);
    expect(printYaml({ ["k".repeat(128)]: 1 })).toBe(`${"k".repeat(128)}: 1\n`);
    expect(printYaml({ ["é".repeat(65)]: 1 })).toBe(`? ${"é".repeat(65)}\n: 1\n`);
  });

  it("quotes a key that would merge", () => {
    expect(printYaml({ "<<": { a: 1 } })).toBe('"<<":\n  a: 1\n');
  });

  it("prints numbers as Go does, 64-bit integers in full", () => {
    expect(printYaml([0, -0, 1e6, 1.5, 1e-7, 1e21, 2 ** 53, 1e19, 9223372036854775807n, 18446744073709551615n])).toBe(
      "- 0\n- 0\n- 1000000\n- 1.5\n- 1e-07\n- 1e+21\n- 9007199254740992\n- 10000000000000000000\n- 9223372036854775807\n- 18446744073709551615\n",
    );
  });

  it("leaves out undefined members, calls toJSON, and rejects what JSON cannot represent", () => {
    expect(printYaml({ a: undefined, b: { toJSON: () => "x" }, c: [undefined] })).toBe("b: x\nc:\n- null\n");
    expect(printYaml({ a: undefined })).toBe("{}\n");
    for (const bad of [NaN, Infinity, () => 1, Symbol("s")]) expect(() => printYaml({ bad })).toThrow("printYaml: JSON has no");
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    expect(() => printYaml(circle)).toThrow("containing itself");
  });

  it("parses back to the same value", () => {
    const text = fc.oneof(
      fc.string({
        unit: fc.constantFrom(
          "a",
          " ",
          "\n",
          ":",
          "-",
          "#",
          "'",
          '"',
          "0",
          "1",
          ".",
          "\t",
          "\u2028",
          "\u0085",
          "é",
          "\u{1f600}",
          "word ",
          "y",
          "~",
        ),
        maxLength: 30,
      }),
      fc.string({ unit: "binary", maxLength: 8 }),
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3, depthSize: "small" },
        text,
        fc.constantFrom(null, true, 0, -1.5, 1e21, 9007199254740993n),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(text, tie("value"), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(value, (original) => {
        if (!jsonEqual(parseYaml(printYaml(original)), original)) expect(parseYaml(printYaml(original))).toEqual(original);
      }),
      { numRuns: (fc.readConfigureGlobal().numRuns ?? 200) / 2 },
    );
  });

  it("prints the replacement character for a lone surrogate", () => {
    expect(printYaml("a\ud800b")).toBe("a\ufffdb\n");
  });
});
