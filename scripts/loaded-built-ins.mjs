/**
 * Lists the modules of Node that an import loads, beyond those that Node loads to import anything. Each takes up to ten
 * milliseconds of a start.
 *
 *     loadedBuiltIns("drover", { cwd }) → ["net", "tls"]
 */
import { execFileSync } from "node:child_process";

/** @param specifier - of a package, or the URL of a file */
export function loadedBuiltIns(specifier, { cwd, node = process.execPath }) {
  const code = `
    await import(${JSON.stringify(import.meta.resolve("./empty-module.mjs"))});
    const before = new Set(process.moduleLoadList);
    await import(${JSON.stringify(specifier)});
    const names = process.moduleLoadList.filter((name) => !before.has(name));
    process.stdout.write(JSON.stringify(names));
  `;
  const loaded = JSON.parse(execFileSync(node, ["--input-type=module", "-e", code], { cwd, encoding: "utf8" }));
  // Parts of Node that a program cannot import come with those that it can; undici is the exception, because it is large.
  return loaded.flatMap((name) => /^NativeModule (?!internal\/(?!deps\/undici))(.+)$/.exec(name)?.[1] ?? []);
}
