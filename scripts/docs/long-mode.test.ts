import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");

it("docs/testing.md lists every test file that reads DROVER_LONG, and no other", () => {
  const files = ["packages", "conformance", "scripts", "examples"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".test.ts") && !file.includes("node_modules") && !file.includes("dist"))
      .map((file) => join(root, folder, file)),
  );
  const readers = files.filter((file) => file !== import.meta.filename && readFileSync(file, "utf8").includes("DROVER_LONG"));
  const [, list = ""] = readFileSync(join(root, "docs", "testing.md"), "utf8").split("## What the long mode adds");
  const listed = [...list.matchAll(/`([a-z0-9-]+\.test\.ts)`/g)].map(([, name = ""]) => name);
  expect(listed.toSorted()).toEqual(readers.map((file) => basename(file)).toSorted());
});
