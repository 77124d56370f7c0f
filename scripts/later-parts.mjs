/**
 * A plugin for the bundler of `drover`: an entry point that re-exports an asynchronous function loads its code with the first call.
 *
 *     export { apply } from "./apply/apply.js"  →  an async function that imports the module and calls it
 *
 * The source has plain exports, so tests of this repository load no code in the middle of a run.
 */
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const packages = join(dirname(dirname(fileURLToPath(import.meta.url))), "packages");
const dist = (folder, path) => join(packages, folder, "dist", path);

/** Module → its exports, all of them functions that return promises. The schemas of the built-in kinds come with these. */
const parts = new Map([
  [dist("patterns", "apply/apply.js"), ["apply"]],
  [dist("patterns", "apply/apply-plan.js"), ["planApply"]],
]);
const entry = dist("patterns", "index.js");
const mark = "\0later-part:";

export function laterParts() {
  return {
    name: "later-parts",
    resolveId: (specifier, importer) => {
      const module = importer === entry ? resolve(dirname(entry), specifier) : undefined;
      return parts.has(module) ? `${mark}${module}` : undefined;
    },
    load: (id) => (id.startsWith(mark) ? { code: stub(id.slice(mark.length)), moduleSideEffects: false } : undefined),
    moduleParsed: ({ id, exports }) => {
      const expected = parts.get(id);
      if (expected !== undefined && exports.toSorted().join() !== expected.toSorted().join())
        throw new Error(`${id} exports ${exports.join(", ")}; scripts/later-parts.mjs expects ${expected.join(", ")}`);
    },
  };
}

const stub = (module) =>
  `let loading;\n${parts
    .get(module)
    .map(
      (name) =>
        `export async function ${name}(...args) { return (await (loading ??= import(${JSON.stringify(module)}))).${name}(...args); }\n`,
    )
    .join("")}`;
