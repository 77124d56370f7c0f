/**
 * An operator that runs in this process: from kubeconfig or pod to termination signals.
 *
 *     operator({ name }) → controller(…) → run() → runOperator
 */
import { checkOptions } from "@drover/machinery";
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
  run(options?: RunOptions): Promise<void>;
}

/** Creates an operator without controllers: add them with `app.controller(Kind, { … })`, then call `await app.run()`. */
export function operator(options: OperatorOptions): RunnableOperator {
  const declared = createOperator(options);
  return {
    ...declared,
    run: async (runOptions = {}) => {
      checkOptions("app.run", runOptions, runOptionNames);
      const { runtime = nodeRuntime(), host = nodeHost() } = runOptions;
      // What only a running operator needs; a test that imports the operator runs it in a harness.
      const { runOperator } = await import("./run-operator.ts");
      const work = (): Promise<void> => runOperator(declared, { ...runOptions, runtime, host });
      // Without a signal of the caller the process is the operator's. The main thread reports the ends of other threads.
      if (runOptions.signal !== undefined || threadNumber() !== undefined) return work();
      const { endingProcess, ownProcess } = await import("./own-process.ts");
      await ownProcess(work, { log: runtime.log, host: endingProcess() });
    },
  };
}
