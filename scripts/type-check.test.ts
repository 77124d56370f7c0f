import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

// The expectTypeOf tests say nothing at run time: the compiler is the one that proves them.
// What the last run knew is kept, so that only what changed since is looked at again.
it("type-checks the whole tree, type tests included", () => {
  const root = join(import.meta.dirname, "..");
  const { stdout, status } = spawnSync(join(root, "node_modules", ".bin", "tsc"), ["-p", "tsconfig.json", "--pretty", "false", "--incremental", "--tsBuildInfoFile", join("node_modules", ".cache", "drover", "type-check.tsbuildinfo")], { cwd: root, encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
}, 60_000);
