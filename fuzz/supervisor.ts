/**
 * Runs one target in a thread with a small heap, and reports what the thread cannot: that it hangs, or ran out of memory.
 *
 *     fuzzTarget(name) → thread.mjs → worker.ts → Report
 */
import { Worker } from "node:worker_threads";
import { longestBytes } from "./mutate.ts";
import type { WorkerMessage, WorkerOrder } from "./worker-message.ts";

export interface Crash {
  readonly text: string;
  readonly input: Uint8Array;
}

export interface Report {
  readonly name: string;
  readonly executions: number;
  readonly kept: number;
  readonly blocks: number;
  readonly longestMs: number;
  readonly seconds: number;
  readonly crashes: readonly Crash[];
}

/** The stack is that of a main thread. */
const resourceLimits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 32, stackSizeMb: 1 };
/** An input that takes this long will not end. */
const hangMs = 20_000;

export type FuzzOrder = Omit<WorkerOrder, "shared">;

export async function fuzzTarget(order: FuzzOrder): Promise<Report> {
  const shared = new SharedArrayBuffer(8 + longestBytes);
  const header = new Int32Array(shared, 0, 2);
  const newest = (): Uint8Array => new Uint8Array(shared, 8, header[0]).slice();
  const worker = new Worker(new URL("./thread.mjs", import.meta.url), {
    workerData: { ...order, shared } satisfies WorkerOrder,
    resourceLimits,
  });
  const crashes: Crash[] = [];
  let report: Omit<Report, "name" | "crashes"> | undefined;
  const began = performance.now();
  let seen = { count: -1, at: began };
  const watch = setInterval(() => {
    const count = Atomics.load(header, 1);
    if (count !== seen.count || count === 0) seen = { count, at: performance.now() };
    else if (performance.now() - seen.at > hangMs && report === undefined) {
      crashes.push({ text: `does not end within ${hangMs / 1000} s`, input: newest() });
      void worker.terminate();
    }
  }, 1000);
  await new Promise<void>((resolve) => {
    worker.on("message", (message: WorkerMessage) => {
      if (message.kind === "end") report = message;
      else crashes.push({ text: message.text, input: message.input });
    });
    worker.on("error", (error) => crashes.push({ text: `ends the thread: ${error.stack ?? error.message}`, input: newest() }));
    worker.on("exit", () => resolve());
  });
  clearInterval(watch);
  const unfinished = {
    executions: Atomics.load(header, 1),
    kept: 0,
    blocks: 0,
    longestMs: 0,
    seconds: (performance.now() - began) / 1000,
  };
  return { ...(report ?? unfinished), name: order.name, crashes };
}
