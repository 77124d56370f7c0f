import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const page = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
const foldersIn = (path: string): readonly string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

describe("ARCHITECTURE.md", () => {
  it("has a row for every package", () => {
    expect(foldersIn("packages").filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
  });

  it.each(["machinery", "client", "cache", "controller", "patterns", "client-go", "apiserver", "controller-manager", "dev-cluster"])(
    "names every folder of %s",
    (name) => {
      const [, section = ""] = page.split(`## Inside ${name}\n`);
      const [inside = ""] = section.split("\n## ");
      expect(foldersIn(`packages/${name}/src`).filter((folder) => folder !== "testing" && !inside.includes(`\`${folder}\``))).toEqual([]);
    },
  );
});
