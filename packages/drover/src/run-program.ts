/**
 * Runs programs for their output, such as credential plugins: without a shell, with bounded output, and with no process
 * left after an abort.
 *
 *     HostProgram → runProgram → HostProgramResult
 */
import { spawn } from "node:child_process";
import type { ChildProcess, StdioOptions } from "node:child_process";
import { constants } from "node:os";
import { FileError } from "@drover/client";
import { budget } from "@drover/machinery";
import type { HostProgram, HostProgramResult } from "@drover/client";
import { asFileError } from "./file-problem.ts";
import { TerminalFilter } from "./terminal-filter.ts";

const stdoutBytes = budget({
  name: "drover/program-output",
  limit: 16 * 2 ** 20,
  unit: "bytes",
  atLimit: "the program, such as a credential plugin, is ended and the call rejects",
  uncounted: "The caller gets an error that names the program.",
});
const stderrBytes = budget({
  name: "drover/program-errors",
  limit: 8 * 2 ** 10,
  unit: "bytes",
  atLimit: "only the end of what the program wrote is kept",
  uncounted: "Normal operation: only the end of the text is shown.",
});
/** Milliseconds between SIGTERM and SIGKILL. */
const graceMs = 2000;

/** Runs the program to its end; see `Host.run`. */
export async function runProgram(
  { command, args, env, stdin }: HostProgram,
  { signal }: { readonly signal: AbortSignal },
): Promise<HostProgramResult> {
  signal.throwIfAborted();
  // A separate process group can be killed with all its children, but would cut the program off from the terminal.
  const ownGroup = stdin === "none" && process.platform !== "win32";
  const stdio: StdioOptions = [stdin === "inherit" ? "inherit" : "ignore", "pipe", "pipe"];
  const child = start(command, () =>
    spawn(command, args, { env: { ...process.env, ...env }, stdio, detached: ownGroup, windowsHide: true, shell: false }),
  );
  const output = collect(child, { show: stdin === "inherit" });
  const reason = { cut: undefined as FileError | undefined };
  let stopKilling: (() => void) | undefined;
  const onAbort = (): void => {
    stopKilling ??= end(child, ownGroup);
    if (child.exitCode !== null || child.signalCode !== null) letGo(child);
  };
  output.onOverflow = () => {
    reason.cut = new FileError(command, "other", `run ${command}: it wrote more than ${stdoutBytes.limit} bytes`);
    onAbort();
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const exitCode = await ended(command, child, () => stopKilling !== undefined);
    signal.throwIfAborted();
    if (reason.cut !== undefined) throw reason.cut;
    return {
      exitCode,
      stdout: Buffer.concat(output.stdout).toString("utf8"),
      stderr: Buffer.concat(output.stderr).subarray(-stderrBytes.limit).toString("utf8"),
    };
  } finally {
    signal.removeEventListener("abort", onAbort);
    stopKilling?.();
  }
}

function start(command: string, spawned: () => ChildProcess): ChildProcess {
  try {
    return spawned();
  } catch (error) {
    // Arguments with a NUL byte, or too many arguments.
    throw asFileError(command, "run", error);
  }
}

interface Output {
  readonly stdout: Buffer[];
  readonly stderr: Buffer[];
  onOverflow: () => void;
}

function collect(child: ChildProcess, { show }: { readonly show: boolean }): Output {
  const output: Output = { stdout: [], stderr: [], onOverflow: () => undefined };
  const filter = new TerminalFilter();
  let received = 0;
  child.stdout?.on("data", (chunk: Buffer) => {
    received += chunk.length;
    if (received > stdoutBytes.limit) return output.onOverflow();
    output.stdout.push(chunk);
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    if (show) process.stderr.write(filter.write(chunk));
    const kept = Buffer.concat([...output.stderr, chunk]).subarray(-stderrBytes.limit);
    output.stderr.splice(0, output.stderr.length, Buffer.from(kept));
  });
  return output;
}

/** Resolves when the program has exited and its output is read. After an abort, output that a descendant holds open is not awaited. */
function ended(command: string, child: ChildProcess, isCut: () => boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    const code = (exitCode: number | null, name: NodeJS.Signals | null): number =>
      exitCode ?? 128 + (name === null ? 0 : constants.signals[name]);
    child.once("error", (error) => reject(asFileError(command, "run", error)));
    child.once("close", (exitCode, name) => resolve(code(exitCode, name)));
    child.once("exit", (exitCode, name) => {
      if (isCut()) letGo(child);
      if (isCut()) resolve(code(exitCode, name));
    });
  });
}

/** Closes our ends of the pipes. */
function letGo({ stdout, stderr }: ChildProcess): void {
  stdout?.destroy();
  stderr?.destroy();
}

/** Terminates the program, and kills it after a grace period; returns a function that stops the timer. */
function end(child: ChildProcess, ownGroup: boolean): () => void {
  if (process.platform === "win32" && child.pid !== undefined) {
    spawn("taskkill", ["/pid", String(child.pid), "/T", "/F"], { stdio: "ignore", windowsHide: true }).on("error", () => child.kill());
    return () => undefined;
  }
  send(child, ownGroup, "SIGTERM");
  const timer = setTimeout(() => send(child, ownGroup, "SIGKILL"), graceMs);
  return () => {
    clearTimeout(timer);
    // Kills descendants that outlive the program.
    if (ownGroup) send(child, ownGroup, "SIGKILL");
  };
}

function send(child: ChildProcess, ownGroup: boolean, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(ownGroup ? -child.pid : child.pid, name);
  } catch {
    // It has already exited.
  }
}
