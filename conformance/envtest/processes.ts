/** Finds processes by what their command line contains, where the system lists them in /proc. */
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Returns none where the system has no /proc. */
export function processesOf(text: string): readonly { readonly pid: number; readonly line: string }[] {
  if (!existsSync("/proc/self/cmdline")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        return line.includes(text) ? [{ pid: Number(pid), line }] : [];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
}
