/**
 * The same requests to our API server and to the real one: `npm run test:differential`. It ends with a table of how many answers are equal.
 *
 * Where the real server has not been built (`npm run assets`), its recorded answers are what ours are compared with; `npm run test:differential -- --record` records
 * them anew and needs it. What else stands behind the command goes to vitest: `npm run test:differential -- -t P043`.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const args = process.argv.slice(2);
const mode = args.includes("--record") ? "record" : "compare";
const folder = mkdtempSync(join(tmpdir(), "drover-differential-"));
const tables = join(folder, "tables.txt");
writeFileSync(tables, "");
const { status, signal } = spawnSync(process.execPath, [join(root, "node_modules", "vitest", "vitest.mjs"), "run", "conformance/differential", ...args.filter((arg) => arg !== "--record")], {
  cwd: root, stdio: "inherit", env: { ...process.env, DROVER_DIFFERENTIAL: mode, DROVER_DIFFERENTIAL_TABLES: tables },
});
process.stdout.write(readFileSync(tables, "utf8"));
rmSync(folder, { recursive: true, force: true });
process.exit(status ?? (signal === "SIGINT" ? 130 : 1));
