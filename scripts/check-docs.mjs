/**
 * `npm run check-docs`: runs every command and every code block of the READMEs, the guide and the migration page, and
 * compares the output with the page.
 */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { vitestCommand } from "./vitest-command.mjs";

const suites = readdirSync(join("conformance", "documents"))
  .filter((name) => /^(?:readme|start|guide|design-page|client-demo|wrangler-migration|.*-readme)\.test\.ts$/.test(name))
  .map((name) => join("conformance", "documents", name));
const [program, ...first] = vitestCommand;
const { status } = spawnSync(program, [...first, ...suites, join("examples", "first-steps.test.ts"), join("examples", "web-app")], {
  stdio: "inherit",
  env: { ...process.env, DROVER_LONG: "1" },
});
process.exit(status ?? 1);
