/**
 * An operator that runs in this process: from kubeconfig or pod to termination signals.
 *
 *     operator({ name }) → controller(…) → run() → runOperator
 */
import { checkOptions } from "@drover/machinery";
import type { Transport } from "@drover/machinery";
import { createOperator } from "@drover/patterns";
import type { Operator, OperatorOptions } from "@drover/patterns";
import { nodeHost } from "./node-host.ts";
import { nodeRuntime } from "./node-runtime.ts";
import { runOptionNames } from "./run-options.ts";
import type { RunOptions } from "./run-options.ts";
import { threadNumber } from "./worker-threads.ts";

/** An operator that can run in this process. */
export interface RunnableOperator extends Operator {
  /**
   * Connects, installs CRDs, and runs until `signal` aborts; then waits for running reconciles and resolves. Rejects
   * with the manager's error, and with `KubeconfigError` if no cluster is found.
   *
   * Without `signal` the process belongs to the operator: it then also limits how far the heap of the process grows, unless Node was
   * started with `--max-semi-space-size` or another flag for these sizes.
   */
  run(options?: RunOptions): RunningOperator;
}

/** A run: resolves when it has ended, and can be asked while it lasts. */
export interface RunningOperator extends Promise<void> {
  /**
   * Answers as the debug endpoint does, without a socket: `ask("/debug/drover/status")`. Waits until the run is prepared. Resolves with
   * the parsed JSON; rejects if the question is invalid or the run ends first.
   */
  ask(path: string): Promise<unknown>;
}

/** Creates an operator without controllers: add them with `app.controller(Kind, { … })`, then call `await app.run()`. */
export function operator(options: OperatorOptions): RunnableOperator {
  const declared = createOperator(options);
  return {
    ...declared,
    run: (runOptions = {}) => {
      let prepared: (handler: Transport) => void = () => undefined;
      const handler = new Promise<Transport>((resolve) => (prepared = resolve));
      const ended = start(declared, runOptions, prepared);
      return Object.assign(ended, { ask: (path: string) => ask(handler, ended, path) });
    },
  };
}

async function start(declared: Operator, options: RunOptions, onPrepared: (handler: Transport) => void): Promise<void> {
  checkOptions("app.run", options, runOptionNames);
  const { runtime = nodeRuntime(), host = nodeHost() } = options;
  // What only a running operator needs; a test that imports the operator runs it in a harness.
  const { runOperator } = await import("./run-operator.ts");
  const work = (): Promise<void> => runOperator(declared, { ...options, runtime, host }, onPrepared);
  // Without a signal of the caller the process is the operator's. The main thread reports the ends of other threads.
  if (options.signal !== undefined || threadNumber() !== undefined) return work();
  const { endingProcess, ownProcess } = await import("./own-process.ts");
  await ownProcess(work, { log: runtime.log, host: endingProcess() });
}

async function ask(handler: Promise<Transport>, ended: Promise<void>, path: string): Promise<unknown> {
  const over = ended.then(() => {
    throw new Error(`cannot ask for ${path}: the operator has ended`);
  });
  const answer = await (await Promise.race([handler, over]))({ method: "GET", path, headers: { host: "localhost" } });
  const { status, body } = answer;
  if (typeof body !== "string") throw new TypeError(`${path} is a stream; read it from the debug endpoint`);
  if (status !== 200) throw new TypeError(`cannot ask for ${path}: ${body.trim()}`);
  return answer.headers["content-type"] === "application/json" ? (JSON.parse(body) as unknown) : body;
}
