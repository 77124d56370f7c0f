/**
 * A plugin for the bundlers: Node's heavy modules are loaded when the program first uses one of their names, not when it
 * imports the file that mentions them. Sockets, TLS and cryptography are a quarter of the time to import `drover`.
 *
 *     import { connect } from "node:tls"; connect(…)  →  a read of `connect` at each call, whose getter loads node:tls
 *
 * `import … from "node:http"` would also load undici from Node 22 on, because importing a module reads all its names,
 * including lazy ones such as WebSocket. Here only http is loaded.
 */

/** Modules that Node does not load for its own start. `import … from "node:fs"` reads `fs.promises`, which loads streams and readline. */
const heavy = new Set([
  "node:child_process",
  "node:crypto",
  "node:fs",
  "node:fs/promises",
  "node:http",
  "node:https",
  "node:net",
  "node:os",
  "node:perf_hooks",
  "node:readline",
  "node:stream",
  "node:stream/promises",
  "node:string_decoder",
  "node:tls",
  "node:tty",
  "node:worker_threads",
  "node:zlib",
]);
const mark = "\0lazy-built-in:";

/** Reports whether the plugin replaces this module; the bundler must then not treat it as external. */
export const isLazyBuiltIn = (specifier) => heavy.has(specifier);

export function lazyBuiltIns() {
  return {
    name: "lazy-built-ins",
    // Each importer has a stub of its own, with the names it imports.
    resolveId: (specifier, importer) => (heavy.has(specifier) && importer !== undefined ? `${mark}${importer}?${specifier}` : undefined),
    load(id) {
      if (!id.startsWith(mark)) return undefined;
      const [, importer, specifier] = /^(.+)\?([^?]+)$/s.exec(id.slice(mark.length)) ?? [];
      const names = importedNames(this.getModuleInfo(importer)?.code ?? "", specifier);
      if (names === undefined)
        throw new Error(`${importer} imports ${specifier} without naming what it uses: write import { … } from "${specifier}"`);
      return { code: stub(specifier, names), moduleSideEffects: false };
    },
  };
}

/** Returns undefined if the module is imported as a whole. */
function importedNames(code, specifier) {
  const clauses = [...code.matchAll(new RegExp(`^\\s*import\\s+([^;"']*?)\\s*from\\s*["']${specifier}["']`, "gm"))]
    .map(([, clause]) => clause)
    .filter((clause) => !clause.startsWith("type "));
  const names = clauses.flatMap((clause) => /^\{([^}]*)\}$/s.exec(clause)?.[1].split(",") ?? [undefined]);
  if (names.length === 0 || names.includes(undefined)) return undefined;
  return [...new Set(names.map((name) => name.trim().split(/\s+as\s+/)[0]))].filter((name) => name !== "" && !name.startsWith("type "));
}

/** CommonJS, because then the bundler reads a name where it is used, and not once at the start. */
function stub(specifier, names) {
  const getters = names.map((name) => `get ${name}() { return load().${name}; },\n`);
  return `let loaded;\nconst load = () => (loaded ??= process.getBuiltinModule("${specifier}"));\nmodule.exports = {\n${getters.join("")}};\n`;
}
