/** A machine of ten lines for tests: files in a map, and programs that are functions. */
import { FileError } from "../host.ts";
import type { Host, HostProgram, HostProgramResult } from "../host.ts";

export interface ScriptedHostOptions {
  /** What a program does; what it throws is a program that cannot be started. @default every program is missing */
  readonly run?: (program: HostProgram, signal: AbortSignal) => HostProgramResult | Promise<HostProgramResult>;
  /** @default false */
  readonly isInteractive?: boolean;
}

/** A `Host` that can be asked what went on, and whose files a test may change. An `Error` in the place of a text is a read that fails. */
export interface ScriptedHost extends Host {
  readonly files: Map<string, string | Error>;
  readonly reads: readonly string[];
  readonly runs: readonly HostProgram[];
}

/** A host without a machine. */
export function scriptedHost(files: Readonly<Record<string, string | Error>> = {}, { run, isInteractive = false }: ScriptedHostOptions = {}): ScriptedHost {
  const stored = new Map(Object.entries(files));
  const reads: string[] = [];
  const runs: HostProgram[] = [];
  return {
    files: stored, reads, runs, env: {}, cwd: "/", homeDir: undefined, platform: "linux", isInteractive,
    readFile: async (path) => {
      reads.push(path);
      const content = stored.get(path) ?? new FileError(path, "missing", `${path}: no such file`);
      if (content instanceof Error) throw content;
      return new TextEncoder().encode(content);
    },
    writeFile: async (path, text) => void stored.set(path, text),
    withFileLock: (_path, work) => work(),
    run: async (program, { signal }) => {
      runs.push(program);
      if (run === undefined) throw new FileError(program.command, "missing", `${program.command}: no such program`);
      return run(program, signal);
    },
  };
}
