/**
 * A host for tests: files in a map, programs as functions. Written files can be read, locks are held, nothing leaves the
 * process.
 *
 *     const host = memoryHost({ "/home/ada/.kube/config": text }, { env: { KUBECONFIG: "" } });
 */
import { FileError } from "../host.ts";
import type { FileErrorReason, Host, HostProgram, HostProgramResult } from "../host.ts";

/** The text of a file, or why it can be neither read nor written. */
export type MemoryFile = string | { readonly fails: FileErrorReason };

export interface MemoryHostOptions extends Partial<Pick<Host, "env" | "platform" | "homeDir" | "cwd" | "isInteractive">> {
  /** Runs a program; throws if it cannot be started. @default every program is missing */
  readonly run?: (program: HostProgram, signal: AbortSignal) => HostProgramResult | Promise<HostProgramResult>;
}

/** A `Host` that records what was done, and whose files a test may change. */
export interface MemoryHost extends Host {
  /** Path to content. A file `x.lock` is a lock on `x` that another program holds. */
  readonly files: Map<string, MemoryFile>;
  /** All file operations in order: "read /a", "write /a", "lock /a", "unlock /a". */
  readonly trace: string[];
  /** Paths that were read, in order. */
  readonly reads: readonly string[];
  /** Programs that were started, in order. */
  readonly runs: readonly HostProgram[];
}

/** Without options: Linux, home directory /home/ada, working directory /srv, no terminal. */
export function memoryHost(files: Readonly<Record<string, MemoryFile>> = {}, { run, ...given }: MemoryHostOptions = {}): MemoryHost {
  const held = new Map(Object.entries(files));
  const locked = new Set<string>();
  const trace: string[] = [];
  const runs: HostProgram[] = [];
  const fail = (path: string, reason: FileErrorReason): FileError => new FileError(path, reason, `${path}: ${reason}`);
  return {
    env: {},
    homeDir: "/home/ada",
    cwd: "/srv",
    platform: "linux",
    isInteractive: false,
    ...given,
    files: held,
    trace,
    get reads() {
      return trace.filter((line) => line.startsWith("read ")).map((line) => line.slice("read ".length));
    },
    runs,
    readFile: async (path) => {
      trace.push(`read ${path}`);
      const content = held.get(path);
      if (typeof content !== "string") throw fail(path, content?.fails ?? "missing");
      return new TextEncoder().encode(content);
    },
    writeFile: async (path, text) => {
      trace.push(`write ${path}`);
      if (typeof held.get(path) === "object") throw fail(path, "denied");
      held.set(path, text);
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
    run: async (program, { signal }) => {
      runs.push(program);
      if (run === undefined) throw fail(program.command, "missing");
      return run(program, signal);
    },
  };
}
