/** The programs of the benchmarks are JavaScript that imports built packages by name, so `npm run lint` does not check their imports. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

it("the programs of the benchmarks import only names that exist", { timeout: 120_000 }, (ctx) => {
  if (process.env["DROVER_LONG"] !== "1") ctx.skip("compiles for five seconds: DROVER_LONG=1 npx vitest run scripts/bench-programs");
  const files = readdirSync(join(root, "bench"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".mjs"))
    .map((file) => join(root, "bench", file));
  expect(files.length).toBeGreaterThan(3);
  const folder = join(root, "node_modules", ".cache", "drover");
  mkdirSync(folder, { recursive: true });
  const project = join(folder, "bench-programs.json");
  const compilerOptions = {
    allowJs: true,
    checkJs: true,
    noImplicitAny: false,
    strictNullChecks: true,
    isolatedDeclarations: false,
    composite: false,
  };
  writeFileSync(project, JSON.stringify({ extends: join(root, "tsconfig.json"), compilerOptions, include: [], files }));
  const { stdout } = spawnSync(join(root, "node_modules", ".bin", "tsc"), ["-p", project, "--pretty", "false"], {
    cwd: root,
    encoding: "utf8",
  });
  expect(stdout.split("\n").filter((line) => /has no exported member|does not exist on type 'typeof import/.test(line))).toEqual([]);
});
