/**
 * `npm run soak -- <name> …` runs scripts/soak/<name>.ts; without a name it lists the soak tests. A file that exports `measure` prints its
 * figures as a table, and the exit code is 1 if one does not hold.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { figureTable } from "./soak/parts/figure.ts";
import type { Measure } from "./soak/parts/figure.ts";
import { withLongRun } from "./soak/parts/reliability-page.ts";
import { soakOptions } from "./soak/parts/soak-options.ts";
import { writePage } from "./soak/parts/write-page.ts";

const folder = join(import.meta.dirname, "soak");
const name = process.argv[2];
const file = join(folder, `${name}.ts`);
if (name === undefined || !existsSync(file)) {
  const names = readdirSync(folder)
    .filter((entry) => entry.endsWith(".ts") && !entry.endsWith(".test.ts"))
    .map((entry) => entry.slice(0, -3));
  process.stderr.write(`Usage: npm run soak -- <name> [options]. There are: ${names.join(", ")}.\n`);
  process.exit(2);
}
const { measure } = (await import(pathToFileURL(file).href)) as { readonly measure?: Measure };
if (measure !== undefined) {
  const options = soakOptions(process.argv.slice(3));
  const figures = await measure(options);
  if (options.writes && name !== "all") writePage((page, when) => withLongRun(page, figures, when));
  process.stdout.write(`\n${figureTable(figures)}`);
  process.exit(figures.some(({ verdict }) => verdict === "not held") ? 1 : 0);
}
