/**
 * Checks the packages as a user gets them: packs each, asks publint about it, installs the tarballs into a folder outside the repository
 * and loads every door there with import() and with require(). Needs `npm run build` first.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const packages = readdirSync(join(root, "packages")).map((folder) => {
  const path = join(root, "packages", folder);
  return { path, manifest: JSON.parse(readFileSync(join(path, "package.json"), "utf8")) };
});
const outside = mkdtempSync(join(tmpdir(), "drover-packed-"));
let failures = 0;
const check = (name, problems) => {
  if (problems.length > 0) failures += 1;
  process.stdout.write(`${problems.length === 0 ? "ok  " : "FAIL"} ${name}\n${problems.map((problem) => `     ${problem}\n`).join("")}`);
};
const tried = (action) => {
  try {
    action();
    return [];
  } catch (error) {
    return [String(error.stderr ?? error.message)];
  }
};

const pack = ({ path }) => JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", outside], { cwd: path, stdio: ["ignore", "pipe", "ignore"] }))[0];
try {
  const tarballs = packages.map(pack);
  for (const [index, { path, manifest }] of packages.entries()) {
    const { messages } = await publint({ pkgDir: path, strict: true, pack: false });
    check(`${manifest.name} publint (${tarballs[index].entryCount} files, ${Math.round(tarballs[index].size / 1024)} KB packed)`, messages.map((message) => formatMessage(message, manifest)));
    const tests = tarballs[index].files.filter((file) => file.path.includes(".test."));
    check(`${manifest.name} packs no tests`, tests.map((file) => file.path));
  }
  writeFileSync(join(outside, "package.json"), JSON.stringify({ name: "outside", private: true, type: "module" }));
  check("the tarballs install outside the repository", tried(() => {
    const files = tarballs.map(({ filename }) => `./${filename}`);
    execFileSync("npm", ["install", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error", ...files], { cwd: outside, stdio: "pipe" });
  }));
  for (const { manifest } of packages) {
    for (const door of Object.keys(manifest.exports).filter((name) => name !== "./package.json")) {
      const name = join(manifest.name, door);
      const load = (code) => tried(() => execFileSync(process.execPath, ["--input-type=commonjs", "-e", code], { cwd: outside, stdio: "pipe" }));
      check(`import("${name}")`, load(`import(${JSON.stringify(name)}).then((m) => { if (Object.keys(m).length === 0) throw new Error("exports nothing"); })`));
      check(`require("${name}")`, load(`require(${JSON.stringify(name)})`));
    }
  }
} finally {
  rmSync(outside, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;
