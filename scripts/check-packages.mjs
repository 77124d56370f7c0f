/**
 * Checks the packages as a user gets them: packs each, runs publint on it, installs all tarballs into a folder outside
 * the repository and loads every entry point there with import() and require(). Then it installs and runs the command
 * alone, and drover alone: its size, its entry points, and a program that is compiled against its declarations and run.
 * Needs `npm run build` first.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { facadeBounds, installedSize } from "./installed-size.mjs";

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
    return [
      [error.stdout, error.stderr]
        .map((text) => String(text ?? ""))
        .join("")
        .trim() || error.message,
    ];
  }
};

const pack = ({ path }) =>
  JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", outside], { cwd: path, stdio: ["ignore", "pipe", "ignore"] }))[0];
const doorsOf = ({ manifest }) =>
  Object.keys(manifest.exports)
    .filter((door) => door !== "./package.json")
    .map((door) => join(manifest.name, door));

/** A folder of a program that has installed the given tarballs. */
const install = (name, files) => {
  const folder = join(outside, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "outside", private: true, type: "module" }));
  check(
    `${name}: the tarballs install outside the repository`,
    tried(() => {
      const paths = files.map(({ filename }) => join("..", filename));
      execFileSync("npm", ["install", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error", ...paths], {
        cwd: folder,
        stdio: "pipe",
      });
    }),
  );
  return folder;
};

const load = (folder, door) => {
  const run = (code) => tried(() => execFileSync(process.execPath, ["--input-type=commonjs", "-e", code], { cwd: folder, stdio: "pipe" }));
  check(
    `import("${door}")`,
    run(`import(${JSON.stringify(door)}).then((m) => { if (Object.keys(m).length === 0) throw new Error("exports nothing"); })`),
  );
  check(`require("${door}")`, run(`require(${JSON.stringify(door)})`));
};

const weigh = (folder) => {
  const { packages: count, bytes } = installedSize(folder);
  const problems = [
    [count, facadeBounds.packages, "packages"],
    [bytes, facadeBounds.bytes, "bytes"],
  ].filter(([is, most]) => is > most);
  check(
    `drover alone: ${count} packages, ${(bytes / 1e6).toFixed(1)} MB`,
    problems.map(([is, most, what]) => `${is} ${what}, at most ${most} are meant to be`),
  );
};

/** Only imported modules are loaded, and the module for streams only when one is opened. */
const start = (folder) => {
  const away = [join(folder, "node_modules", "ws"), join(folder, "node_modules", "drover", "dist", "kinds.js")];
  for (const path of away) renameSync(path, `${path}.away`);
  check(
    "drover starts without ws and without the kinds",
    tried(() => execFileSync(process.execPath, ["--input-type=module", "-e", `import "drover"`], { cwd: folder, stdio: "pipe" })),
  );
  for (const path of away) renameSync(`${path}.away`, path);
};

/** The current compiler and the previous major version, both usual kinds of module resolution, with the types of a browser and of Node. */
const compile = (folder) => {
  copyFileSync(join(root, "scripts", "check-packages", "program.ts"), join(folder, "program.ts"));
  const outsides = {
    nodenext: { module: "nodenext", lib: ["ES2022", "DOM"], types: [] },
    bundler: {
      module: "esnext",
      moduleResolution: "bundler",
      lib: ["ES2022"],
      types: ["node"],
      typeRoots: [join(root, "node_modules", "@types")],
    },
  };
  for (const [name, settings] of Object.entries(outsides)) {
    const compilerOptions = { target: "ES2022", strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, ...settings };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
    for (const compiler of ["typescript", "typescript-ast"]) {
      const { version } = JSON.parse(readFileSync(join(root, "node_modules", compiler, "package.json"), "utf8"));
      check(
        `a program compiles (${name}, typescript ${version})`,
        tried(() =>
          execFileSync(process.execPath, [join(root, "node_modules", compiler, "bin", "tsc"), "-p", "."], { cwd: folder, stdio: "pipe" }),
        ),
      );
    }
  }
  check(
    "and runs",
    tried(() => execFileSync(process.execPath, ["program.js"], { cwd: folder, stdio: "pipe" })),
  );
};

/** The command as `npx` runs it. */
const command = (folder) => {
  const drover = join(folder, "node_modules", ".bin", "drover");
  const { version } = packages.find(({ manifest }) => manifest.name === "@drover/cli").manifest;
  check(
    "drover --version",
    tried(() => {
      const said = execFileSync(drover, ["--version"], { cwd: folder, encoding: "utf8", stdio: "pipe" });
      if (said !== `${version}\n`) throw new Error(`says ${said}`);
    }),
  );
  check(
    "drover up is ready, and ends when asked to",
    tried(() => {
      const script = `"$0" up > up.log 2>&1 & for i in $(seq 300); do grep -q Ctrl-C up.log && break; sleep 0.1; done; kill -INT $!; wait $! && test ! -e .drover && grep -q Ended up.log || { cat up.log; exit 1; }`;
      execFileSync("sh", ["-c", script, drover], { cwd: folder, stdio: "pipe" });
    }),
  );
};

try {
  const tarballs = packages.map(pack);
  for (const [index, { path, manifest }] of packages.entries()) {
    const { messages } = await publint({ pkgDir: path, strict: true, pack: false });
    check(
      `${manifest.name} publint (${tarballs[index].entryCount} files, ${Math.round(tarballs[index].size / 1024)} KB packed)`,
      messages.map((message) => formatMessage(message, manifest)),
    );
    const strays = tarballs[index].files.filter((file) => /\.test\.|-scene\.|\.tsbuildinfo$/.test(file.path));
    check(
      `${manifest.name} packs no tests and no notes of the compiler`,
      strays.map((file) => file.path),
    );
    const packed = new Set(tarballs[index].files.map((file) => file.path));
    check(
      `${manifest.name} packs README and LICENSE`,
      ["README.md", "LICENSE"].filter((file) => !packed.has(file)),
    );
  }
  const together = install("together", tarballs);
  for (const door of packages.flatMap(doorsOf)) load(together, door);
  command(install("command", [tarballs[packages.findIndex(({ manifest }) => manifest.name === "@drover/cli")]]));
  const facade = packages.findIndex(({ manifest }) => manifest.name === "drover");
  const alone = install("alone", [tarballs[facade]]);
  weigh(alone);
  for (const door of doorsOf(packages[facade])) load(alone, door);
  start(alone);
  compile(alone);
} finally {
  rmSync(outside, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;
