import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

// The expectTypeOf tests say nothing at run time: the compiler is the one that proves them.
it("type-checks the whole tree, type tests included", () => {
  const root = join(import.meta.dirname, "..");
  const { stdout, status } = spawnSync(join(root, "node_modules", ".bin", "tsc"), ["-p", "tsconfig.json", "--pretty", "false"], { cwd: root, encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
}, 60_000);
