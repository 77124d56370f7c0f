import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { staleOutputs } from "./stale-outputs.mjs";

it("staleOutputs lists what the compiler wrote for sources that are gone, and nothing else", () => {
  const folder = mkdtempSync(join(tmpdir(), "drover-stale-"));
  const [src, dist] = [join(folder, "src"), join(folder, "dist")];
  for (const path of [
    "src/a.ts",
    "src/b/c.ts",
    "dist/a.js",
    "dist/a.d.ts",
    "dist/a.js.map",
    "dist/b/c.js",
    "dist/old.js",
    "dist/b/old.d.ts",
  ])
    writeBelow(folder, path);
  for (const path of ["dist/.tsbuildinfo", "dist/data.json", "dist/b/old.d.ts.map", "dist/LICENSE"]) writeBelow(folder, path);
  expect(staleOutputs(dist, src).toSorted()).toEqual([join("b", "old.d.ts"), join("b", "old.d.ts.map"), "old.js"]);
  expect(staleOutputs(join(folder, "none"), src)).toEqual([]);
  rmSync(folder, { recursive: true });
});

function writeBelow(folder: string, path: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), "");
}
