/**
 * Runs one of the repository's commands on a fresh clone: installs from the lockfile when node_modules is missing or
 * older than the lockfile, then runs the command. Plain JavaScript on built-in modules only, because it runs before
 * anything is installed.
 *
 *     npm test  →  node scripts/with-setup.mjs test [arguments]
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runChild } from "./run-child.mjs";
import { vitestCommand } from "./vitest-command.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = (name) => join(root, "node_modules", ".bin", name);
const script = (name) => [process.execPath, "--conditions=drover-source", "--import", "tsx", join("scripts", name)];
const bundle = (folder, ...programs) => [process.execPath, join("scripts", "bundle-program.mjs"), folder, ...programs];
const built = (name) => join("node_modules", ".cache", "drover", name);
const command = ["drover=packages/cli/src/main.ts", "kubectl-drover:drover", "kubectl_complete-drover:drover"];

const build = [
  [process.execPath, join("scripts", "stale-outputs.mjs")],
  [bin("tsc"), "-b", "tsconfig.build.json"],
  [process.execPath, join("scripts", "build-facade.mjs")],
  bundle("--command", join("packages", "cli", "dist"), ...command),
];

/** Each command is a list of steps; the user's arguments go to the last step. */
const commands = {
  test: [vitestCommand],
  "test:node": [[process.execPath, join("scripts", "test-node.mjs")]],
  "test:real": [[process.execPath, join("scripts", "test-real.mjs")]],
  "test:differential": [[process.execPath, join("scripts", "test-differential.mjs")]],
  "test:controllers": [[process.execPath, join("scripts", "test-controllers.mjs")]],
  "test:envtest": [[process.execPath, join("scripts", "test-envtest.mjs")]],
  start: [[process.execPath, join("scripts", "start.mjs")]],
  tour: [bundle(built("tour"), "tour=examples/tour.ts"), [process.execPath, join(built("tour"), "bin", "tour.js")]],
  example: [[process.execPath, join("scripts", "example.mjs")]],
  build,
  lint: [
    [bin("tsc"), "-p", "tsconfig.json"],
    [bin("oxlint"), "--type-aware", "--deny-warnings"],
    [bin("oxfmt"), "--check"],
  ],
  format: [[bin("oxfmt")]],
  tidy: [script("tidy/main.ts")],
  bench: [script("bench.ts")],
  soak: [script("soak.ts")],
  attack: [...build, [process.execPath, "--conditions=drover-source", "--import", "tsx", join("attack", "run.ts")]],
  fuzz: [[process.execPath, "--conditions=drover-source", "--import", "tsx", join("fuzz", "run.ts")]],
  assets: [[process.execPath, join("scripts", "assets.mjs")]],
  docs: [script("docs/main.ts")],
  "check-docs": [[process.execPath, join("scripts", "check-docs.mjs")]],
  "check-packages": [[process.execPath, join("scripts", "check-packages.mjs")]],
  "generate-api": [script("generate-api/main.ts")],
  "generate-openapi": [script("generate-api/openapi-archive-main.ts")],
  "generate-bootstrap": [script("generate-api/bootstrap-main.ts")],
};

const run = async (step) => {
  const { status } = await runChild(step, { cwd: root, shell: process.platform === "win32" });
  if (status !== 0) process.exit(status);
};

const requireNode = () => {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  process.stderr.write(`Drover needs Node 20.19 or later; this is ${process.versions.node}.\n`);
  process.exit(1);
};

const install = async () => {
  const stamp = join(root, "node_modules", ".drover-lock");
  const wanted = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  process.stdout.write("Installing from the lockfile (once per lockfile) …\n");
  await run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
  writeFileSync(stamp, wanted);
};

const [name, ...rest] = process.argv.slice(2);
const steps = commands[name];
if (steps === undefined) {
  process.stderr.write(`Unknown command "${name ?? ""}". There are: ${Object.keys(commands).join(", ")}.\n`);
  process.exit(2);
}
requireNode();
await install();
for (const [index, step] of steps.entries()) await run(index === steps.length - 1 ? [...step, ...rest] : step);
