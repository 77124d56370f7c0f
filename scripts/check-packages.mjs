/**
 * Checks the packages as a user gets them: packs each, builds all of them again elsewhere and compares the tarballs,
 * rehearses their publication, runs publint, installs all tarballs into a folder outside
 * the repository and loads every entry point there with import() and require(). Then it installs and runs the command
 * alone, and drover alone: its size, its entry points, and a program that is compiled against its declarations and run.
 * Needs `npm run build` first.
 */
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { facadeBounds, installedSize } from "./installed-size.mjs";
import { loadedBuiltIns } from "./loaded-built-ins.mjs";
import { noticesFile } from "./third-party-notices.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const packages = readdirSync(join(root, "packages")).map((folder) => {
  const path = join(root, "packages", folder);
  return { path, manifest: JSON.parse(readFileSync(join(path, "package.json"), "utf8")) };
});
/** Packages with the code of others in them. */
const bundles = new Set(["@drover/cli", "drover"]);
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

/** One run of npm for all packages. Older versions of npm print a list instead of an object by name. */
const npmForAll = (cwd, words) => {
  const text = execFileSync("npm", [...words, "--json", "--workspaces", "--offline"], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    // npm lists every file; Node's default of 1 MiB is less than that.
    maxBuffer: 64 * 2 ** 20,
  });
  return new Map(Object.values(JSON.parse(text)).map((packed) => [packed.name, packed]));
};

/** What would be published is what was packed. Nothing is sent; the tag is given, so that npm need not ask the registry for one. */
const rehearse = (tarballs) => {
  const problems = tried(() => {
    const published = npmForAll(root, ["publish", "--dry-run", "--tag", "latest"]);
    for (const [name, { integrity }] of tarballs)
      if (published.get(name)?.integrity !== integrity) throw new Error(`${name} would be published as another tarball`);
  });
  const unproven = packages.filter(
    ({ manifest: { publishConfig } }) => publishConfig?.access !== "public" || publishConfig.provenance !== true,
  );
  check("npm publish --dry-run, with provenance", [
    ...problems,
    ...unproven.map(({ manifest }) => `${manifest.name} is without publishConfig`),
  ]);
};

/** A second build from the same sources, in another folder and at another time, gives the same tarballs. */
const rebuild = (tarballs) => {
  const copy = join(outside, "rebuilt");
  const problems = tried(() => {
    copySources(copy);
    execFileSync(process.execPath, [join("scripts", "with-setup.mjs"), "build"], { cwd: copy, stdio: "pipe" });
    const again = npmForAll(copy, ["pack", "--dry-run"]);
    const others = [...tarballs].filter(([name, { integrity }]) => again.get(name)?.integrity !== integrity);
    if (others.length > 0) throw new Error(`built again, other tarballs: ${others.map(([name]) => name).join(", ")}`);
  });
  check("two builds give the same tarballs", problems);
  rmSync(copy, { recursive: true, force: true });
};

/** Everything that git knows of, and links to what is installed; our own packages are those of the copy. */
const copySources = (copy) => {
  const known = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root, encoding: "utf8" });
  for (const path of known.split("\0")) {
    if (!/^(?:packages|scripts)\/|^[^/]+$/.test(path) || !existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    copyFileSync(join(root, path), join(copy, path));
  }
  const installed = join(root, "node_modules");
  mkdirSync(join(copy, "node_modules"));
  for (const name of readdirSync(installed)) {
    if (["@drover", "drover", ".cache"].includes(name)) cpSync(join(installed, name), join(copy, "node_modules", name), linked(name));
    else symlinkSync(join(installed, name), join(copy, "node_modules", name));
  }
};
const linked = (name) => ({ recursive: true, verbatimSymlinks: true, filter: () => name !== ".cache" });

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
  for (const door of ["drover", "drover/cache", "drover/client", "drover/controller", "drover/kinds"])
    check(
      `import "${door}" loads no module of Node before it is used`,
      loadedBuiltIns(door, { cwd: folder }).map((name) => `loads ${name}`),
    );
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
    "kubectl drover and its completion",
    tried(() => {
      const run = (name, ...words) =>
        execFileSync(join(folder, "node_modules", ".bin", name), words, { cwd: folder, encoding: "utf8", stdio: "pipe" });
      if (!run("kubectl-drover", "--help").includes("kubectl drover up")) throw new Error("the help does not say kubectl drover up");
      const completed = run("kubectl_complete-drover", "up", "--node");
      if (!completed.startsWith("--nodes\t")) throw new Error(`completes ${completed}`);
    }),
  );
  check(
    "drover up is ready, and ends when asked to",
    tried(() => {
      // Twice: the second run has the compiled code of the first.
      const script = `up() { "$0" up > up.log 2>&1 & for i in $(seq 300); do grep -q Ctrl-C up.log && break; sleep 0.1; done; kill -INT $!; wait $! && test ! -e .drover && grep -q Ended up.log || { cat up.log; exit 1; }; }; up && up`;
      execFileSync("sh", ["-c", script, drover], {
        cwd: folder,
        stdio: "pipe",
        env: { ...process.env, XDG_CACHE_HOME: join(folder, "cache") },
      });
    }),
  );
};

try {
  const packedByName = npmForAll(root, ["pack", "--pack-destination", outside]);
  const tarballs = packages.map(({ manifest }) => packedByName.get(manifest.name));
  rehearse(packedByName);
  rebuild(packedByName);
  for (const [index, { path, manifest }] of packages.entries()) {
    const { messages } = await publint({ pkgDir: path, strict: true, pack: false });
    check(
      `${manifest.name} publint (${tarballs[index].entryCount} files, ${Math.round(tarballs[index].size / 1024)} KB packed)`,
      messages.map((message) => formatMessage(message, manifest)),
    );
    const strays = tarballs[index].files.filter((file) => /\.test\.|-scene\.|\.tsbuildinfo$|\.cache$/.test(file.path));
    check(
      `${manifest.name} packs no tests, no notes of the compiler and no compiled code`,
      strays.map((file) => file.path),
    );
    const packed = new Set(tarballs[index].files.map((file) => file.path));
    const texts = ["README.md", "LICENSE", ...(bundles.has(manifest.name) ? [`dist/${noticesFile}`] : [])];
    check(
      `${manifest.name} packs ${texts.join(", ")}`,
      texts.filter((file) => !packed.has(file)),
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
