/**
 * Runs an operator that can be asked, from before its start until after its end.
 *
 *     OperatorRun, tape → createDebugHandler → serveDebug, RunningOperator.ask
 */
import { createDebugHandler } from "@drover/controller";
import type { RecordingTape, Tape } from "@drover/controller";
import { definedOnly } from "@drover/machinery";
import type { Transport } from "@drover/machinery";
import type { OperatorRun } from "@drover/patterns";
import type { NodeRuntime } from "../node-runtime.ts";
import { serveDebug } from "./debug-endpoint.ts";
import type { DebugPort } from "./debug-options.ts";
import { version } from "./version.ts";

export interface DebuggedRunOptions {
  readonly name: string;
  readonly runtime: NodeRuntime;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Undefined opens no port. */
  readonly port: DebugPort | undefined;
  readonly tape: false | Tape;
  /** Number of threads that reconcile; undefined without threads. */
  readonly threads: number | undefined;
  /** Whether the process belongs to the operator, with its signals. */
  readonly isOwn: boolean;
  readonly signal: AbortSignal;
  /** Called with the handler before the run starts. */
  readonly onPrepared: (handler: Transport) => void;
}

/** Resolves when the run has ended and the port is closed. If the endpoint fails, the run ends with its error. */
export async function runDebugged(run: OperatorRun, options: DebuggedRunOptions): Promise<void> {
  const { name, runtime, env, port, tape, threads, isOwn, signal, onPrepared } = options;
  const { clock, log } = runtime;
  const operator = { pid: process.pid, name, startedAt: clock.now() };
  const handler = createDebugHandler({
    ...run.debugged,
    ...operator,
    version,
    clock,
    manager: run.manager,
    ...definedOnly({ threads }),
    ...(isRecording(tape) ? { tape } : {}),
  });
  onPrepared(handler);
  if (port === undefined) return run.run(signal);
  const [ending, broken] = [new AbortController(), new AbortController()];
  const served = serveDebug(handler, { ...port, operator, env, log, onSignal: isOwn, signal: ending.signal }).catch((error: unknown) =>
    broken.abort(error),
  );
  try {
    await run.run(AbortSignal.any([signal, broken.signal]));
  } finally {
    ending.abort();
    await served;
  }
  broken.signal.throwIfAborted();
}

/** A tape of the program's own may only record. */
const isRecording = (tape: false | Tape): tape is RecordingTape => tape !== false && "ended" in tape && "calls" in tape;
