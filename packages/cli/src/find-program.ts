/** Finds a program on PATH, as a shell does. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Environment and platform; `process` provides both. */
export interface FindProgramOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
}

/** Returns its path; undefined if no folder of PATH contains it. */
export function findProgram(name: string, { env, platform }: FindProgramOptions): string | undefined {
  const endings = platform === "win32" ? [".exe", ".cmd", ".bat"] : [""];
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.flatMap((folder) => endings.map((ending) => join(folder, `${name}${ending}`))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
