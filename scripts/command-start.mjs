#!/usr/bin/env node
/**
 * The start of a command that was bundled with `--command` (bundle-program.mjs). It loads the modules with the code that
 * the engine has compiled in an earlier run (code-cache.mjs), which saves a good quarter of the time until a server
 * answers. DROVER_CODE_CACHE=off neither reads nor writes such code.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

const builtIn = createRequire(import.meta.url);
// For --version and --help, to open the cache takes longer than to compile.
const hasCache = process.env.DROVER_CODE_CACHE !== "off" && /^[a-z]/.test(process.argv[2] ?? "");
const cache = hasCache ? (await import("./code-cache.js")).openCodeCache() : undefined;
const modules = new Map();
/** Modules without compiled code of their own. */
const compiled = new Map();

const load = (file) => {
  const known = modules.get(file);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  modules.set(file, module);
  const text = readFileSync(file, "utf8").replace(/^#!.*/, "");
  const cachedData = cache?.read(text);
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, { filename: file, cachedData });
  if (cachedData === undefined || script.cachedDataRejected === true) compiled.set(text, script);
  script.runInThisContext()(
    module.exports,
    (name) => (name.startsWith(".") ? load(resolve(dirname(file), name)) : builtIn(name)),
    module,
    file,
    dirname(file),
  );
  return module.exports;
};

// At the end, when the code has run that every start needs. Short commands end before most of it has.
if (cache !== undefined && ["up", "apiserver"].includes(process.argv[2]))
  process.once("exit", (code) => {
    if (code === 0) for (const [text, script] of compiled) cache.write(text, script.createCachedData());
  });
const own = fileURLToPath(import.meta.url);
load(join(dirname(own), "chunks", `${basename(own, ".js")}-main.cjs`));
