import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { version } from "./version.ts";

it("version is that of the manifest", () => {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, "..", "..", "package.json"), "utf8")) as { readonly version: string };
  expect(version).toBe(manifest.version);
});
