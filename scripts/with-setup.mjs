/**
 * Runs one of the repository's commands on a clone as it is: installs from the lockfile when node_modules is missing or older than
 * the lockfile, then hands over. Plain JavaScript on built-in modules only, because it runs before anything is installed.
 *
 *     npm test  →  node scripts/with-setup.mjs test [arguments]
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = (name) => join(root, "node_modules", ".bin", name);
const script = (name) => [process.execPath, "--conditions=drover-source", "--import", "tsx", join("scripts", name)];

/** Each command is a list of steps; what the user typed after the command goes to the last step. */
const commands = {
  test: [[bin("vitest"), "run"]],
  "test:real": [[process.execPath, join("scripts", "test-real.mjs")]],
  "test:differential": [[process.execPath, join("scripts", "test-differential.mjs")]],
  start: [script("../examples/tour.ts")],
  build: [[bin("tsc"), "-b", "tsconfig.build.json"], [process.execPath, join("scripts", "build-facade.mjs")]],
  lint: [[bin("tsc"), "-p", "tsconfig.json"], [bin("oxlint"), "--type-aware", "--deny-warnings"]],
  tidy: [script("tidy/main.ts")],
  bench: [script("bench.ts")],
  soak: [script("soak.ts")],
  assets: [[process.execPath, join("scripts", "assets.mjs")]],
  "check-packages": [[process.execPath, join("scripts", "check-packages.mjs")]],
  "generate-api": [script("generate-api/main.ts")],
  "generate-openapi": [script("generate-api/openapi-archive-main.ts")],
};

const run = ([command, ...args]) => {
  const options = { cwd: root, stdio: "inherit", shell: process.platform === "win32" };
  const { status, signal, error } = spawnSync(command, args, options);
  if (error !== undefined) process.stderr.write(`${command}: ${error.message}\n`);
  if (status !== 0) process.exit(status ?? (signal === "SIGINT" ? 130 : 1));
};

const requireNode = () => {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  process.stderr.write(`Drover needs Node 20.19 or later; this is ${process.versions.node}.\n`);
  process.exit(1);
};

const install = () => {
  const stamp = join(root, "node_modules", ".drover-lock");
  const wanted = createHash("sha256").update(readFileSync(join(root, "package-lock.json"))).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  process.stdout.write("Installing from the lockfile (once per lockfile) …\n");
  run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
  writeFileSync(stamp, wanted);
};

const [name, ...rest] = process.argv.slice(2);
const steps = commands[name];
if (steps === undefined) {
  process.stderr.write(`Unknown command "${name ?? ""}". There are: ${Object.keys(commands).join(", ")}.\n`);
  process.exit(2);
}
requireNode();
install();
for (const [index, step] of steps.entries()) run(index === steps.length - 1 ? [...step, ...rest] : step);
