import { describe, expect, it } from "vitest";
import { ImportList } from "./import-list.ts";

describe("ImportList", () => {
  it("has a line for each module, packages before files, and every name once", () => {
    const imports = new ImportList([]);
    for (const [module, name] of [
      ["../b.ts", "B"],
      ["drover", "Time"],
      ["drover", "Kind"],
      ["drover", "Time"],
      ["../a.ts", "A"],
    ] as const)
      expect(imports.use(module, name, "x")).toBe(name);
    expect(imports.print()).toBe(
      'import type { Kind, Time } from "drover";\nimport type { A } from "../a.ts";\nimport type { B } from "../b.ts";\n',
    );
  });

  it("renames what conflicts with a type of the file", () => {
    const imports = new ImportList(["Kind", "DroverKind"]);
    expect(imports.use("drover", "Kind", "drover")).toBe("DroverKind_");
    expect(imports.print()).toBe('import type { Kind as DroverKind_ } from "drover";\n');
  });

  it("is empty when nothing is used", () => {
    expect(new ImportList(["A"]).print()).toBe("");
  });
});
