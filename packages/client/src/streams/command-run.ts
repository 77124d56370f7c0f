/**
 * Commands for those who want their output somewhere and the exit code in the end.
 *
 *     execEvents, attachEvents → exec, attach → sinks, exit code
 */
import { assert } from "@drover/machinery";
import type { ObjectName } from "@drover/machinery";
import { attachEvents, execEvents } from "./remote-command.ts";
import type { AttachOptions, CommandEvent, ExecOptions } from "./remote-command.ts";
import type { WebSocketConnect } from "./web-socket.ts";

/** Takes what a command writes. The next piece comes when what it returned has resolved. */
export type OutputSink = (bytes: Uint8Array) => void | Promise<void>;

export interface OutputSinks {
  /** Where standard output goes. @default nowhere */
  readonly stdout?: OutputSink;
  /** Where standard error goes; not with `tty`. @default nowhere */
  readonly stderr?: OutputSink;
}

/**
 * Runs a command in a container of a pod and resolves to its exit code; zero or not is for the caller to judge.
 * Rejects as the loop over {@link execEvents} throws, and with what a sink throws.
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

/** Joins the command that a container runs until it ends, and resolves to its exit code; as {@link exec} in all else. */
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

// The server wants to serve at least one stream, so standard output is asked for when nothing is.
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
