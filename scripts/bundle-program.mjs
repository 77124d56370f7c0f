/**
 * Bundles programs of this repository, with the packages they use, into a folder of few files that Node starts quickly:
 * loading a thousand small files takes seconds, a bundle takes a tenth of a second.
 *
 *     node scripts/bundle-program.mjs tour tour=examples/tour.ts  →  tour/bin/tour.js, bin/chunks/…, data/…
 *
 * With --command the program starts through command-start.mjs, which keeps its compiled code in the user's cache folder:
 *
 *     node scripts/bundle-program.mjs --command packages/cli/dist drover=packages/cli/src/main.ts kubectl-drover:drover
 *
 * NAME:PROGRAM is another name of a program, which can read from `process.argv` by which name it was started.
 */
import { copyFileSync, cpSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { asciiCode } from "./ascii-code.mjs";
import { jsonTables } from "./json-tables.mjs";
import { isLazyBuiltIn, lazyBuiltIns } from "./lazy-built-ins.mjs";
import { writeNotices } from "./third-party-notices.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const isCommand = process.argv[2] === "--command";
const [folder, ...programs] = process.argv.slice(isCommand ? 3 : 2);
const entries = programs.filter((program) => program.includes("=")).map((program) => program.split("="));
const aliases = programs.filter((program) => !program.includes("=")).map((alias) => alias.split(":"));

const build = await rolldown({
  input: Object.fromEntries(entries.map(([name, entry]) => [name, resolve(entry)])),
  platform: "node",
  resolve: { conditionNames: ["drover-source", "import", "node"] },
  // Node 20 does not support "using".
  transform: { target: "node20" },
  plugins: [lazyBuiltIns(), jsonTables(), asciiCode()],
  // No comment with a path before each module: it would depend on where the packages are installed.
  experimental: { attachDebugInfo: "none" },
  external: (specifier) => specifier.startsWith("node:") && !isLazyBuiltIn(specifier),
  // A build on a busy machine is slow, which is not a mistake in the code.
  checks: { bundlerTimings: false },
  onLog: (level, log) => {
    if (level === "warn") throw new Error(`bundling ${programs.join(", ")}: ${log.message}`);
  },
});
rmSync(resolve(folder), { recursive: true, force: true });
// The server reads its data from one or two folders above its code.
const form = isCommand
  ? { format: "cjs", entryFileNames: "bin/chunks/[name]-main.cjs", chunkFileNames: "bin/chunks/[name].cjs" }
  : { format: "esm", entryFileNames: "bin/[name].js", chunkFileNames: "bin/chunks/[name].js" };
const { output } = await build.write({ dir: resolve(folder), comments: false, ...form });
await build.close();
const data = join(root, "packages", "apiserver", "data");
if (output.some(({ moduleIds = [] }) => moduleIds.some((id) => id.startsWith(join(root, "packages", "apiserver")))))
  cpSync(data, resolve(folder, "data"), { recursive: true, filter: (path) => !path.endsWith(".md") });
if (isCommand) {
  writeNotices(resolve(folder), output);
  for (const [name] of entries) copyFileSync(join(root, "scripts", "command-start.mjs"), resolve(folder, "bin", `${name}.js`));
  for (const [alias, name] of aliases)
    writeFileSync(resolve(folder, "bin", `${alias}.js`), `#!/usr/bin/env node\nimport "./${name}.js";\n`);
  copyFileSync(join(root, "scripts", "code-cache.mjs"), resolve(folder, "bin", "code-cache.js"));
}
