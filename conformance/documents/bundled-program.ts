/**
 * A program of this repository bundled into a few files: Node starts it in a fifth of a second, but needs seconds to
 * load its thousand source files.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "..", "..");

/** Writes it into `folder`, which is replaced, and returns the file to start. */
export async function bundledProgram(folder: string, entry: string): Promise<string> {
  await promisify(execFile)(process.execPath, [join(root, "scripts", "bundle-program.mjs"), folder, `program=${entry}`], { cwd: root });
  return join(folder, "bin", "program.js");
}
