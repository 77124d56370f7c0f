#!/usr/bin/env node
/**
 * The start of a command that was bundled with `--command` (bundle-program.mjs). It loads the modules with the code
 * cache that was written when they were bundled, which saves a good quarter of the time until a server answers. Another
 * version of the engine ignores the cache and compiles the code.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

const builtIn = createRequire(import.meta.url);
const scripts = new Map();
const modules = new Map();

const kept = (file) => {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
};

const load = (file) => {
  const known = modules.get(file);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  modules.set(file, module);
  const text = readFileSync(file, "utf8").replace(/^#!.*/, "");
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
    filename: file,
    cachedData: kept(`${file}.cache`),
  });
  scripts.set(file, script);
  script.runInThisContext()(
    module.exports,
    (name) => (name.startsWith(".") ? load(resolve(dirname(file), name)) : builtIn(name)),
    module,
    file,
    dirname(file),
  );
  return module.exports;
};

if (process.env.DROVER_CODE_CACHE === "make") {
  process.once("exit", () => {
    for (const [file, script] of scripts) writeFileSync(`${file}.cache`, script.createCachedData());
  });
}
const own = fileURLToPath(import.meta.url);
load(join(dirname(own), "chunks", `${basename(own, ".js")}-main.cjs`));
