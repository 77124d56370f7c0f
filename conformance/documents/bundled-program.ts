/**
 * A program of this repository in a few files: Node starts it in a fifth of a second, and takes seconds to read the
 * thousand files it is made of.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "..", "..");

/** Writes it into `folder`, which is made anew, and gives the file to start. */
export async function bundledProgram(folder: string, entry: string): Promise<string> {
  await promisify(execFile)(process.execPath, [join(root, "scripts", "bundle-program.mjs"), folder, `program=${entry}`], { cwd: root });
  return join(folder, "bin", "program.js");
}
