import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sourceFiles } from "./source-files.ts";

const root = join(import.meta.dirname, "..", "..");

it("docs/troubleshooting.md names errors and Event reasons that exist", () => {
  const page = readFileSync(join(root, "docs", "troubleshooting.md"), "utf8");
  const reasons = readFileSync(join(root, "docs", "reasons.md"), "utf8");
  const classes = new Set(
    sourceFiles(root).flatMap(({ text }) => [...text.matchAll(/^export class (\w+)/gm)].map(([, name = ""]) => name)),
  );
  const errors = [...page.matchAll(/`(\w+Error)`/g)].map(([, name = ""]) => name);
  expect(errors.filter((name) => name !== "TypeError" && !classes.has(name))).toEqual([]);
  const named = [...page.matchAll(/(?:reason|Event|or) `([\w-]+)`/g)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => /^[A-Z]/.test(name) && !reasons.includes(`\`${name}\``))).toEqual([]);
});
