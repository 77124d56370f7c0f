/** `npm run soak -- <name> …` runs scripts/soak/<name>.ts; without a name it lists the soak tests. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const folder = join(import.meta.dirname, "soak");
const name = process.argv[2];
const file = join(folder, `${name}.ts`);
if (name === undefined || !existsSync(file)) {
  const names = readdirSync(folder)
    .filter((entry) => entry.endsWith(".ts") && !entry.includes("-"))
    .map((entry) => entry.slice(0, -3));
  process.stderr.write(`Usage: npm run soak -- <name> [options]. There are: ${names.join(", ")}.\n`);
  process.exit(2);
}
await import(pathToFileURL(file).href);
