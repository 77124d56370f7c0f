/**
 * Runs commands with callbacks for the output, and returns the exit code.
 *
 *     execEvents, attachEvents → exec, attach → sinks, exit code
 */
import { assert } from "@drover/machinery";
import type { ObjectName } from "@drover/machinery";
import { attachEvents, execEvents } from "./remote-command.ts";
import type { AttachOptions, CommandEvent, ExecOptions } from "./remote-command.ts";
import type { WebSocketConnect } from "./web-socket.ts";

/** Receives a command's output. The next chunk follows when the returned promise has resolved. */
export type OutputSink = (bytes: Uint8Array) => void | Promise<void>;

export interface OutputSinks {
  /** Receives standard output. @default discarded */
  readonly stdout?: OutputSink;
  /** Receives standard error; not with `tty`. @default discarded */
  readonly stderr?: OutputSink;
}

/**
 * Runs a command in a container of a pod and resolves to its exit code, zero or not. Rejects with what {@link execEvents} or
 * a sink throws.
 *
 *     const code = await exec(connect, { namespace: "shop", name: "web-0" }, { command: ["ls", "/"], stdout: (bytes) => write(bytes) });
 */
export function exec(
  connect: WebSocketConnect,
  pod: ObjectName,
  { stdout, stderr, ...options }: Omit<ExecOptions, "stdout" | "stderr"> & OutputSinks,
): Promise<number> {
  return drain(execEvents(connect, pod, { ...options, ...wanted({ stdout, stderr }) }), { stdout, stderr });
}

/** Attaches to the running command of a container and resolves to its exit code; otherwise like {@link exec}. */
export function attach(
  connect: WebSocketConnect,
  pod: ObjectName,
  { stdout, stderr, ...options }: Omit<AttachOptions, "stdout" | "stderr"> & OutputSinks,
): Promise<number> {
  return drain(attachEvents(connect, pod, { ...options, ...wanted({ stdout, stderr }) }), { stdout, stderr });
}

interface Sinks {
  readonly stdout: OutputSink | undefined;
  readonly stderr: OutputSink | undefined;
}

// The server requires at least one stream, so standard output is requested if the caller wants none.
function wanted({ stdout, stderr }: Sinks): Pick<AttachOptions, "stdout" | "stderr"> {
  return { stdout: stdout !== undefined || stderr === undefined, stderr: stderr !== undefined };
}

async function drain(events: AsyncIterable<CommandEvent>, sinks: Sinks): Promise<number> {
  let exitCode: number | undefined;
  for await (const event of events) {
    if (event.kind === "exit") exitCode = event.exitCode;
    else await sinks[event.kind]?.(event.bytes);
  }
  assert(exitCode !== undefined, "a command's last event is its exit");
  return exitCode;
}
