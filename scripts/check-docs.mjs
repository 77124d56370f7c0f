/**
 * `npm run check-docs`: runs every command and every code block of the READMEs, the guide and the migration page, and
 * compares the output with the page.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { runChild } from "./run-child.mjs";
import { vitestCommand } from "./vitest-command.mjs";

const suites = readdirSync(join("conformance", "documents"))
  .filter((name) => /^(?:readme|start|guide|design-page|client-demo|wrangler-migration|.*-readme)\.test\.ts$/.test(name))
  .map((name) => join("conformance", "documents", name));
const { status } = await runChild([...vitestCommand, ...suites, join("examples", "first-steps.test.ts"), join("examples", "web-app")], {
  env: { ...process.env, DROVER_LONG: "1" },
});
process.exit(status);
