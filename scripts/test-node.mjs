/**
 * `npm run test:node -- 26`: runs the tests on the newest release of another Node major.
 *
 * The npm registry carries Node's binaries as packages. The one for this platform goes into node_modules/.cache/drover/node-<major>,
 * outside the lockfile; later arguments go to vitest, as with `npm test`.
 *
 *     npm run test:node -- 26 packages/cache --maxWorkers=1
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { nodeFolder, nodeMajors, nodePackage, nodePackageName, nodeProgram } from "./node-package.mjs";
import { runChild } from "./run-child.mjs";
import { vitestCommandOn } from "./vitest-command.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const fail = (message) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};

const npm = (args, options = {}) =>
  spawnSync("npm", args, { cwd: root, encoding: "utf8", shell: process.platform === "win32", ...options });

/** Newest version of the major, or undefined when the registry does not answer or has none. */
const newestVersion = (name, major) => {
  const { status, stdout } = npm(["view", name, "versions", "--json"]);
  if (status !== 0) return undefined;
  const numbers = (version) => version.split(".").map(Number);
  return [JSON.parse(stdout)]
    .flat()
    .filter((version) => new RegExp(`^${major}\\.\\d+\\.\\d+$`).test(version))
    .toSorted((a, b) => numbers(b)[1] - numbers(a)[1] || numbers(b)[2] - numbers(a)[2])[0];
};

/** Installs Node into the cache folder unless that version is there, and returns the path of the binary. */
const installNode = (major) => {
  const name = nodePackageName();
  const folder = nodeFolder(major);
  const manifest = join(nodePackage(folder), "package.json");
  const binary = nodeProgram(nodePackage(folder));
  const installed = existsSync(binary) ? JSON.parse(readFileSync(manifest, "utf8")).version : undefined;
  const version = newestVersion(name, major) ?? installed;
  if (version === undefined) fail(`The npm registry has no ${name} of major ${major}, or did not answer: npm view ${name} versions`);
  if (version !== installed) {
    process.stdout.write(`Installing ${name}@${version} …\n`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    const options = ["--prefix", folder, "--no-save", "--no-package-lock", "--ignore-scripts", "--loglevel=error"];
    const { status } = npm(["install", ...options, `${name}@${version}`], { cwd: folder, stdio: "inherit" });
    if (status !== 0) fail(`Could not install ${name}@${version}.`);
  }
  return binary;
};

const [major = "", ...rest] = process.argv.slice(2);
if (!nodeMajors.includes(major)) fail(`Say which Node: npm run test:node -- ${nodeMajors.join(" | ")} [arguments of vitest]`);
const node = installNode(major);
process.stdout.write(`Node ${spawnSync(node, ["--version"], { encoding: "utf8" }).stdout}`);
// Tests that start `node` by name, or a script with a shebang, get the same Node.
const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ""}` };
const { status } = await runChild([...vitestCommandOn(node), ...rest], { cwd: root, env });
process.exit(status);
