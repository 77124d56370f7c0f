/** `npm run bench -- <name>` runs bench/<name>.ts; without a name it lists the benchmarks. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = join(import.meta.dirname, "..", "bench");
const name = process.argv[2];
const file = join(folder, `${name}.ts`);
if (name === undefined || !existsSync(file)) {
  const names = readdirSync(folder)
    .filter((entry) => entry.endsWith(".ts"))
    .map((entry) => entry.slice(0, -3));
  process.stderr.write(`Usage: npm run bench -- <name>. There are: ${names.join(", ")}.\n`);
  process.exit(2);
}
await import(pathToFileURL(file).href);
