/**
 * The second step of `npm run build`: turns the compiler's output for packages/drover (dist/modules) into the package
 * that users install. It bundles the other packages of the repository, so that `npm install drover` installs nothing
 * else of ours (decision 6).
 *
 *     dist/modules, and dist of the packages it imports  →  dist/<entry point>.js, dist/chunks/…, dist/types/<package>/…
 */
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import ts from "typescript-ast";
import { asciiCode } from "./ascii-code.mjs";
import { chunkNames, loadedWith } from "./chunk-names.mjs";
import { jsonTables } from "./json-tables.mjs";
import { laterParts } from "./later-parts.mjs";
import { isLazyBuiltIn, lazyBuiltIns } from "./lazy-built-ins.mjs";
import { writeNotices } from "./third-party-notices.mjs";
import { shorterCode } from "./shorter-code.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const facade = join(root, "packages", "drover");
const dist = join(facade, "dist");
const server = join(root, "packages", "apiserver");
const isServer = (module) => module.startsWith(server + sep);
/** Values, connections, caches, queues, wire formats, tables and the harness: authors who step into the framework step over these. */
const isBelow = (id) => /[\\/]packages[\\/](?:machinery|client|cache|workqueue|api|yaml)[\\/]|[\\/](?:harness|conversions)[\\/]/.test(id);
const isMostlyBelow = (modules) => modules.filter(isBelow).length > 0.5 * modules.length;
const readManifest = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const manifest = readManifest(facade);
const posix = (path) => path.split(sep).join("/");

/** `AsyncDisposable` is newer than the library most programs compile with, so the entry points reference it. */
const neededLibrary = `/// <reference lib="esnext.disposable" />\n`;

/** The entry points of the manifest, each with the module the compiler wrote for it. */
const doors = Object.values(manifest.exports)
  .filter((target) => typeof target === "object")
  .map((target) => ({
    name: target.default.replace(/^\.\/dist\/(.+)\.js$/, "$1"),
    module: join(dist, "modules", target["drover-source"].replace(/^\.\/src\/(.+)\.ts$/, "$1")),
  }));

/** Entry points with which programs start. */
const startDoors = ["cache", "client", "controller", "index", "kinds", "machinery"];

for (const entry of readdirSync(dist)) if (entry !== "modules") rmSync(join(dist, entry), { recursive: true });
await bundle();
declare(doors.map(({ module }) => `${module}.d.ts`));

/**
 * Names are kept, so that stack traces are readable; comments are removed, because the declarations have them. The embedded server, which
 * only tests load, is shortened.
 */
async function bundle() {
  // The server reads its data from two folders above its code.
  const chunkFileNames = ({ moduleIds }) => `chunks/${moduleIds.some(isServer) ? "server/" : ""}[name].js`;
  const form = { dir: dist, format: "esm", chunkFileNames, comments: false };
  const plan = await openBuild();
  const { output: planned } = await plan.generate(form);
  await plan.close();
  const codeSplitting = {
    groups: [{ debugName: "loaded together", name: chunkNames(planned, { doors: startDoors, rare: ["machinery"], isApart: isServer }) }],
    // Whatever loads a module loads its dependencies: they have names of their own, and no two chunks need each other.
    includeDependenciesRecursively: false,
  };
  const build = await openBuild({ preserveEntrySignatures: "allow-extension" });
  const { output } = await build.write({ ...form, codeSplitting });
  await build.close();
  keepSignatures(planned, output);
  keepServerApart(output);
  writeNotices(dist, output);
  mkdirSync(join(dist, "data"));
  for (const file of ["openapi.br", "bootstrap.br"]) copyFileSync(join(server, "data", file), join(dist, "data", file));
}

function openBuild(options = {}) {
  return rolldown({
    input: Object.fromEntries(doors.map(({ name, module }) => [name, `${module}.js`])),
    external: isExternal,
    plugins: [
      laterParts(),
      lazyBuiltIns(),
      jsonTables(),
      shorterCode(({ moduleIds }) => moduleIds.some(isServer) || isMostlyBelow(moduleIds)),
      asciiCode(),
    ],
    platform: "node",
    // No comment with a path before each module: 70 KB of every installation.
    experimental: { attachDebugInfo: "none" },
    // A build on a busy machine is slow, which is not a mistake in the code.
    checks: { bundlerTimings: false },
    onLog: (level, log) => {
      if (level === "warn") throw new Error(`bundling drover: ${log.message}`);
    },
    ...options,
  });
}

/** The bundler may add names to an entry point for other chunks; users would see them. */
function keepSignatures(planned, written) {
  for (const { name } of doors) {
    const [promised, exported] = [planned, written].map((chunks) => chunks.find(({ fileName }) => fileName === `${name}.js`).exports);
    const added = exported.filter((each) => !promised.includes(each));
    if (added.length > 0 || exported.length !== promised.length)
      throw new Error(`bundling drover: the entry point ${name} exports other names than its module, for example ${added[0]}`);
  }
}

/** The embedded server is for tests: no entry point may load any of it before a harness asks for it. */
function keepServerApart(chunks) {
  for (const { fileName, moduleIds = [] } of doors.flatMap(({ name }) => loadedWith(chunks, `${name}.js`))) {
    const found = moduleIds.find(isServer);
    if (found !== undefined)
      throw new Error(
        `bundling drover: ${relative(root, found)} would be loaded with a door, by way of ${fileName}; only packages/drover/src/harness/embedded-server.ts and webhook-calls.ts may import the server, and embedded-ground.ts imports them with import()`,
      );
  }
}

/**
 * Our packages are bundled, and so is what only the embedded server needs. Other dependencies stay outside; the
 * manifest must declare them in the version their importer was tested with.
 */
function isExternal(specifier, importer) {
  if (specifier.startsWith("node:")) return !isLazyBuiltIn(specifier);
  if (specifier.startsWith(".") || isAbsolute(specifier) || specifier.startsWith("@drover/") || isServer(importer ?? "")) return false;
  const [, folder] = posix(relative(root, importer)).split("/");
  const wanted = readManifest(join(root, "packages", folder)).dependencies?.[specifier];
  const promised = manifest.dependencies[specifier];
  if (wanted === undefined || wanted !== promised)
    throw new Error(
      `packages/${folder} depends on ${specifier} ${wanted}, packages/drover/package.json on ${promised ?? "none"}; they must agree`,
    );
  return true;
}

/** Copies the declarations reachable from the given ones, each below the name of its package. */
function declare(entries) {
  const waiting = [...entries];
  const done = new Set(waiting);
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const target = publicPlace(file);
    const text = rewrite(file, (specifier) => {
      const found = declarationOf(specifier, file);
      if (!done.has(found)) {
        done.add(found);
        waiting.push(found);
      }
      const path = posix(relative(dirname(target), publicPlace(found))).replace(/\.d\.ts$/, ".js");
      return path.startsWith(".") ? path : `./${path}`;
    });
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, entries.includes(file) ? neededLibrary + text : text);
  }
}

/** packages/client/dist/rest/pager.d.ts → dist/types/client/rest/pager.d.ts */
function publicPlace(file) {
  const [folder, , ...path] = posix(relative(join(root, "packages"), file)).split("/");
  return join(dist, "types", folder, ...(folder === "drover" ? path.slice(1) : path));
}

/** The text of a file with every module specifier replaced, and without the link to a map that is not shipped. */
function rewrite(file, replace) {
  const text = readFileSync(file, "utf8");
  const { importedFiles, typeReferenceDirectives, referencedFiles } = ts.preProcessFile(text, true, true);
  if (typeReferenceDirectives.length + referencedFiles.length > 0)
    throw new Error(`${file} has a reference directive; a user may not have what it names`);
  let result = "";
  let from = 0;
  for (const { fileName, pos } of importedFiles.toSorted((a, b) => a.pos - b.pos)) {
    result += `${text.slice(from, pos)}${JSON.stringify(replace(fileName))}`;
    from = pos + JSON.stringify(fileName).length;
  }
  return (result + text.slice(from)).replace(/^\/\/# sourceMappingURL=.*$/m, "").trimEnd() + "\n";
}

/** The declaration that a specifier resolves to. */
function declarationOf(specifier, from) {
  if (specifier.startsWith(".")) return join(dirname(from), specifier.replace(/\.[jt]s$/, ".d.ts"));
  const [scope, name, ...door] = specifier.split("/");
  if (scope !== "@drover")
    throw new Error(
      `${from} imports types from "${specifier}", which a program with drover alone need not have; move the types that a door shows to a file without that import`,
    );
  const folder = join(root, "packages", name);
  return join(folder, readManifest(folder).exports[[".", ...door].join("/")].types);
}
