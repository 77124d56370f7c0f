/**
 * `drover kinds`: TypeScript for custom resources, from their definitions.
 *
 *     options → definitions.ts → generateKinds → the standard output, or files in a folder
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { generateKinds, generatedBy } from "@drover/patterns";
import { CommandError } from "./command-error.ts";
import type { KindsOptions } from "./command-line.ts";
import { listDefinitions, readDefinitions } from "./definitions.ts";

export interface KindsPlace {
  /** Takes what is for people: the code, or where it was written. */
  readonly write: (text: string) => void;
  /** Ends the listing of a cluster. */
  readonly signal: AbortSignal;
}

/**
 * Resolves when all is written. Rejects with a `CommandError` before anything is, when a definition cannot be read or a
 * file is another's.
 */
export async function kinds({ files, cluster, groups, out }: KindsOptions, { write, signal }: KindsPlace): Promise<void> {
  const definitions = cluster === undefined ? readDefinitions(files) : await listDefinitions(cluster, signal);
  const generated = ofGroups(generate(definitions), groups);
  if (out === undefined) {
    write([...generated.values()].join("\n"));
    return;
  }
  const paths = new Map([...generated].map(([path, text]) => [resolve(join(out, path)), text]));
  for (const path of paths.keys()) refuseOthers(path);
  for (const [path, text] of paths) writeFile(path, text);
  write(`Wrote ${[...generated.keys()].join(", ")} to ${resolve(out)}.\n`);
}

function generate(definitions: readonly unknown[]): ReadonlyMap<string, string> {
  try {
    return generateKinds(definitions);
  } catch (error) {
    if (error instanceof TypeError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

function ofGroups(generated: ReadonlyMap<string, string>, groups: readonly string[]): ReadonlyMap<string, string> {
  const there = [...new Set([...generated.keys()].map(dirname))];
  const missing = groups.find((group) => !there.includes(group));
  if (missing !== undefined)
    throw new CommandError(`there is no kind of the group "${missing}"; there are kinds of ${there.join(", ") || "no group at all"}`);
  if (there.length === 0) throw new CommandError("there is no custom resource with a version that is served");
  return groups.length === 0 ? generated : new Map([...generated].filter(([path]) => groups.includes(dirname(path))));
}

function refuseOthers(path: string): void {
  const text = readIfThere(path);
  if (text === undefined || text.split("\n", 1)[0]?.endsWith(generatedBy) === true) return;
  throw new CommandError(`${path} is there already, and drover did not write it; choose another folder with --out, or move it away`);
}

/** Undefined when there is no file. */
function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new CommandError(`${path} is there already and cannot be read; choose another folder with --out`, { cause: error });
  }
}

function writeFile(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch (error) {
    throw new CommandError(
      `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}; choose another folder with --out`,
      { cause: error },
    );
  }
}
