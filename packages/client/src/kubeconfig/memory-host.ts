/** A machine that is a map from path to text, for tests: what is written can be read, locks are held, nothing runs. */
import { FileError } from "../host.ts";
import type { FileErrorReason, Host } from "../host.ts";

export interface MemoryHost extends Host {
  /** Path to content, or to the reason it cannot be read. */
  readonly files: Map<string, string | { readonly fails: FileErrorReason }>;
  /** Every read and write, in order: "read /a", "write /a", "lock /a", "unlock /a". */
  readonly trace: string[];
}

/** A Linux machine of somebody whose home is /home/ada, working in /work. */
export function memoryHost(files: Readonly<Record<string, string | { readonly fails: FileErrorReason }>> = {}, given: Partial<Pick<Host, "env" | "platform" | "homeDir" | "cwd">> = {}): MemoryHost {
  const held = new Map(Object.entries(files));
  const locked = new Set<string>();
  const trace: string[] = [];
  const fail = (path: string, reason: FileErrorReason): FileError => new FileError(path, reason, `${path}: ${reason}`);
  return {
    env: {}, homeDir: "/home/ada", cwd: "/srv", platform: "linux", isInteractive: false, ...given,
    files: held,
    trace,
    readFile: (path) => {
      trace.push(`read ${path}`);
      const content = held.get(path);
      if (typeof content === "string") return Promise.resolve(new TextEncoder().encode(content));
      return Promise.reject(fail(path, content?.fails ?? "missing"));
    },
    writeFile: (path, text) => {
      trace.push(`write ${path}`);
      if (typeof held.get(path) === "object") return Promise.reject(fail(path, "denied"));
      held.set(path, text);
      return Promise.resolve();
    },
    withFileLock: async (path, work) => {
      if (locked.has(path) || held.has(`${path}.lock`)) throw fail(`${path}.lock`, "exists");
      trace.push(`lock ${path}`);
      locked.add(path);
      try {
        return await work();
      } finally {
        trace.push(`unlock ${path}`);
        locked.delete(path);
      }
    },
    run: ({ command }) => Promise.reject(fail(command, "missing")),
  };
}
