/** Fuzzes one target in a thread of its own, which the supervisor may end. */
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { Coverage } from "./coverage.ts";
import type { WorkerMessage, WorkerOrder } from "./worker-message.ts";

// Before anything else is loaded, so that all of it is counted.
const coverage = new Coverage();

const { name, seed, milliseconds, repeatable, shared, replay } = workerData as WorkerOrder;
const port = parentPort;
if (isMainThread || port === null) throw new Error("fuzz/worker.ts runs as a thread of fuzz/run.ts");
const send = (message: WorkerMessage): void => port.postMessage(message);

const { createRandom } = await import("@drover/machinery");
const { readCorpus } = await import("./corpus.ts");
const { Fuzzer } = await import("./fuzzer.ts");
const { targets } = await import("./targets.ts");

const load = targets.get(name);
if (load === undefined) throw new Error(`no fuzz target ${name}`);
const target = await load();

/** The supervisor reads the newest input from here: its length, a count of inputs, then its bytes. */
const header = new Int32Array(shared, 0, 2);
const bytes = new Uint8Array(shared, 8);
const onInput = (input: Uint8Array): void => {
  bytes.set(input.subarray(0, bytes.length));
  header[0] = Math.min(input.length, bytes.length);
  Atomics.add(header, 1, 1);
};

const fuzzer = new Fuzzer({
  target,
  seeds: replay === undefined ? readCorpus(name).map((each) => each.bytes) : [replay],
  random: createRandom(seed).stream(name),
  coverage,
  onInput,
  onFailure: ({ signature, text }, input) => send({ kind: "failure", signature, text, input }),
});

const began = performance.now();
/** Long enough that reading coverage costs little, short enough to end in time. */
const batchMs = 300;
await fuzzer.runSeeds();
// One that is replayed fails, or does not: nothing is mutated.
if (replay === undefined) await (repeatable ? runCount() : runTime());
const { executions, kept, longestMs, failures } = fuzzer;
send({ kind: "end", executions, kept, longestMs, failures, blocks: coverage.blocks, seconds: (performance.now() - began) / 1000 });
await target.close?.();
coverage.stop();

async function runTime(): Promise<void> {
  let batchSize = 20;
  while (performance.now() < began + milliseconds && !fuzzer.gaveUp) {
    const start = performance.now();
    await fuzzer.runBatch(batchSize);
    const isShort = performance.now() - start < batchMs;
    batchSize = Math.round(isShort ? Math.min(2000, batchSize * 1.5) : Math.max(20, batchSize / 1.5));
  }
}

/** Nothing here depends on the time: which inputs come next depends on the size of the batches too. */
async function runCount(): Promise<void> {
  const { perSecond } = target;
  const batchSize = Math.ceil((perSecond * batchMs) / 1000);
  while (fuzzer.executions < (perSecond * milliseconds) / 1000 && !fuzzer.gaveUp) await fuzzer.runBatch(batchSize);
}
