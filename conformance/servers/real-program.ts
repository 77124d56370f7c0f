/**
 * Runs the programs of a real cluster, each for as long as a test needs it. They come from the folder that
 * KUBEBUILDER_ASSETS names, as in envtest.
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Runs a program as long as its own standard input is open, and exits with the program's status. The system closes that
 * input when this process, or the thread that started it, ends in any way; an "exit" handler would not run when they
 * are killed.
 */
const guarded = `exec 3<&0
"$@" 3<&- </dev/null & program=$!
echo $program >"$0"
(cat <&3; kill -TERM $program; sleep 5; kill -KILL $program) >/dev/null 2>&1 & guard=$!
exec 3<&-
wait $program; code=$?
kill $guard 2>/dev/null
exit $code`;

/** A running program; its output is kept for the error when it ends too soon. Without a call of `end`, it ends with this process. */
export class RealProgram {
  readonly #name: string;
  readonly #log: string;
  readonly #pidFile: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  /**
   * @param folder - the folder of its log
   * @param options - `path`: the file to run, by default the one of that name in KUBEBUILDER_ASSETS; `env`: variables
   * besides those of this process
   */
  constructor(
    name: string,
    args: readonly string[],
    folder: string,
    { path = programPath(name), env = {} }: { readonly path?: string; readonly env?: Readonly<Record<string, string>> } = {},
  ) {
    this.#name = name;
    this.#log = join(folder, `${name}.log`);
    this.#pidFile = join(folder, `${name}.pid`);
    const output = openSync(this.#log, "w");
    this.#child = spawn("sh", ["-c", guarded, this.#pidFile, path, ...args], {
      stdio: ["pipe", output, output],
      env: { ...process.env, ...env },
    });
    this.#ended = new Promise((resolve) => this.#child.once("exit", resolve));
    // It may have ended before the input is closed.
    this.#child.stdin?.on("error", () => undefined);
    closeSync(output);
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Throws when it has ended. */
  check(): void {
    const { exitCode, signalCode } = this.#child;
    if (!this.hasEnded) return;
    throw new Error(`${this.#name} ended with ${exitCode ?? signalCode}:\n${this.tail()}`);
  }

  /** The last lines of its output. */
  tail(lines = 20): string {
    return readFileSync(this.#log, "utf8").split("\n").slice(-lines).join("\n");
  }

  /** Sends a signal to the program itself; for SIGKILL, resolves when it has ended. Assumes that it has been started. */
  async signal(name: "SIGKILL" | "SIGSTOP" | "SIGCONT"): Promise<void> {
    process.kill(Number(readFileSync(this.#pidFile, "utf8")), name);
    if (name === "SIGKILL") await this.#ended;
  }

  /** Asks it to end, kills it after five seconds, and resolves when it has ended. */
  async end(): Promise<void> {
    this.#child.stdin?.end();
    await this.#ended;
  }
}

const startTimeoutMs = 60_000;

/** Waits until a condition holds; throws when one of the programs ends or a minute passes. */
export async function until(programs: readonly RealProgram[], what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  while (performance.now() < deadline) {
    for (const program of programs) program.check();
    if (await holds()) return;
    await delay(100);
  }
  throw new Error(`${what} not ready after ${startTimeoutMs} ms:\n${programs.map((program) => program.tail()).join("\n")}`);
}

/** A new folder for programs and their data, which is deleted on request and with this process. */
export function temporaryFolder(name: string): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), `drover-${name}-`));
  const remove = (): void => {
    process.off("exit", remove);
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  };
  process.once("exit", remove);
  return { path, remove };
}

/** The path of a program, if it exists. */
export const programPath = (name: string): string => join(process.env["KUBEBUILDER_ASSETS"] ?? "", name);

/** Why a test that needs these programs cannot run here; undefined when it can. */
export function programsMissing(...names: readonly string[]): string | undefined {
  const folder = process.env["KUBEBUILDER_ASSETS"] ?? "";
  const missing = names.filter((name) => folder === "" || !existsSync(join(folder, name)));
  return missing.length === 0 ? undefined : `needs ${missing.join(", ")} in KUBEBUILDER_ASSETS: npm run assets`;
}

/** Free ports on loopback. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Server>((resolve) => {
          const server = createServer().listen(0, "127.0.0.1", () => resolve(server));
        }),
    ),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
