import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseManifest, readManifest } from "./manifest-file.ts";

describe("readManifest", () => {
  let folder = "";
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "drover-manifest-"))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const read = (name: string, text: string): unknown => {
    writeFileSync(join(folder, name), text);
    try {
      return readManifest(join(folder, name));
    } catch (error) {
      return (error as Error).message.replace(`${folder}/`, "");
    }
  };

  it("reads JSON as JSON, also where YAML differs from it (SEC18)", () => {
    const text = String.raw`{"smile":"\ud83d\ude00","half":"\ud83d","slash":"a\/b","tab":"	"}`.replace("\t", String.raw`\t`);
    const [value] = [{ smile: "😀", half: "\ud83d", slash: "a/b", tab: "\t" }];
    for (const name of ["a.json", "a.yaml", "a.yml", "a"]) expect([name, read(name, text)]).toEqual([name, [value]]);
  });

  it("lets the last of duplicate keys win, as kubectl does, and keeps large integers exact", () => {
    expect(read("a.json", '{"a":1,"b":9007199254740993,"a":2}')).toEqual([{ a: 2, b: 9007199254740993n }]);
    expect(read("a.yaml", "a: 1\na: 2\n")).toEqual([{ a: 2 }]);
    expect(read("a.json", '{"__proto__":{"a":1}}')).toEqual([JSON.parse('{"__proto__":{"a":1}}')]);
  });

  it("reads several values, a byte order mark and empty files", () => {
    expect(read("a.json", '{"a":"}{"}{"b":[1]}\n[2]\n---\n{"c":3}\n---\nnull\n')).toEqual([{ a: "}{" }, { b: [1] }, [2], { c: 3 }]);
    expect(read("a.json", '\u{feff} {"a":1}')).toEqual([{ a: 1 }]);
    expect([read("a.json", ""), read("b.json", " \n"), read("a.yaml", "# nothing\n---\n")]).toEqual([[], [], []]);
  });

  it("reads a file that begins with a brace and is no JSON as YAML, unless it is named .json", () => {
    expect(read("a.yaml", "{a: 1}\n---\nb: 2\n")).toEqual([{ a: 1 }, { b: 2 }]);
    expect(read("a.json", "{a: 1}")).toBe(
      "a.json cannot be read: invalid character 'a' looking for beginning of object key string (line 1, column 2, offset 1)",
    );
    expect(read("a.json", "a: 1")).toContain("line 1, column 1");
  });

  it("names the file, the line and the column of a mistake (SEC18)", () => {
    expect(read("a.json", '{"a":1}\n\n{\n  "b": x }')).toMatch(/^a\.json cannot be read: invalid character 'x'.* \(line 4, column 8, /);
    expect(read("a.json", '{"a":1}\n}')).toMatch(/^a\.json cannot be read: .*\(line 2, column 1, /);
    expect(read("a.json", '{"a":1')).toMatch(/^a\.json cannot be read: .*line 1/);
    expect(read("a.json", '{"a":1} 2 {')).toMatch(/^a\.json cannot be read: .*line 1, column 11/);
    expect(read("a.yaml", "a:\n  - [")).toMatch(/^a\.yaml cannot be read: yaml: line 2, column \d+: /);
    expect(read("a.yaml", '{"a": 1, "b": "\\x"}')).toMatch(/^a\.yaml cannot be read: yaml: line 1, column \d+: /);
  });

  it("rejects a file without end and one that is too large", () => {
    writeFileSync(join(folder, "large"), "");
    truncateSync(join(folder, "large"), 16 * 2 ** 20 + 1);
    expect(() => readManifest(join(folder, "large"))).toThrow(
      "cannot be read: cli/manifest-file: more than 16 MiB; the command rejects the file",
    );
    if (process.platform !== "win32") expect(() => readManifest("/dev/zero")).toThrow("/dev/zero cannot be read: cli/manifest-file");
  });

  it("is linear in the length of a hostile text", () => {
    const started = performance.now();
    for (const text of [
      '"'.repeat(1e5),
      `{"${"\\".repeat(1e5)}`,
      "[".repeat(1e5),
      "{}".repeat(1e4),
      `${" ".repeat(1e5)}x`,
      "---\n".repeat(2e4),
    ])
      try {
        parseManifest(text, "json");
      } catch {
        // Only the time matters.
      }
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
