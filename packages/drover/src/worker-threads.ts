/**
 * Threads of this process that run the program's own module again.
 *
 *     main thread: startThreads → Worker(entry) → run({ threads }) → takeSeat: thread 1 of 2
 */
import { pathToFileURL } from "node:url";
import { parentPort, Worker, workerData } from "node:worker_threads";
import type { FromThread, ManagerThread, StartThread, ThreadPort, ThreadSeat, ToThread } from "@drover/controller";
import type { ThreadHeap } from "./heap-growth.ts";

/** Field of the data of a thread. */
const field = "drover.thread";

interface NamedSeat {
  /** Name of the operator or manager that runs in the thread. */
  readonly name: string;
  readonly seat: ThreadSeat;
  isTaken: boolean;
}

/** Returns the module that threads run. Throws a `TypeError` if it is unknown or not a URL. */
export function entryModule(entry?: URL, program: string | undefined = process.argv[1]): URL {
  if (entry instanceof URL) return entry;
  if (entry !== undefined) throw new TypeError("threads.entry must be a URL, such as new URL(import.meta.url)");
  if (program === undefined || program === "")
    throw new TypeError(
      "threads run the file that Node was started with, and there is none: set threads.entry to the URL of the module that calls run",
    );
  return pathToFileURL(program);
}

/** Returns a function that starts threads of `entry`. They end with this process. */
export const startThreads =
  (name: string, entry: URL, resourceLimits: ThreadHeap = {}): StartThread =>
  (seat, on) => {
    const named: NamedSeat = { name, seat, isTaken: false };
    const worker = new Worker(entry, {
      workerData: { [field]: named },
      argv: process.argv.slice(2),
      name: `${name} ${seat.thread} of ${seat.threads}`,
      resourceLimits,
    });
    let failure: { readonly error: unknown } | undefined;
    worker.on("message", (message: FromThread) => on.message(message));
    worker.on("error", (error) => (failure = { error }));
    worker.on("exit", (code) => on.exited(failure === undefined ? `the thread exited with code ${code}` : failure.error));
    return {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      post: (message) => worker.postMessage(message),
      terminate: () => void worker.terminate(),
    };
  };

/** Milliseconds of a monotonic clock that all threads of this process have in common. */
export const commonMs = (): number => Number(process.hrtime.bigint()) / 1e6;

/**
 * Returns what the program of this name needs to run in this thread: undefined in a process or thread that Drover has not started,
 * "taken" if the thread is for another program or was given to one already.
 */
export function takeSeat(name: string, data: unknown = workerData): ManagerThread | "taken" | undefined {
  const named = seatOf(data);
  if (named === undefined) return undefined;
  if (named.isTaken || named.name !== name) return "taken";
  named.isTaken = true;
  return { seat: named.seat, port: portOfThread(), commonMs };
}

/** Returns the number of this thread; undefined in a process or thread that Drover has not started. */
export const threadNumber = (data: unknown = workerData): number | undefined => seatOf(data)?.seat.thread;

function seatOf(data: unknown): NamedSeat | undefined {
  if (typeof data !== "object" || data === null || !(field in data)) return undefined;
  return data[field] as NamedSeat;
}

function portOfThread(): ThreadPort {
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    post: (message) => parentPort?.postMessage(message),
    receive: (receiver) => {
      const listener = (message: ToThread): void => receiver(message);
      parentPort?.on("message", listener);
      return () => void parentPort?.off("message", listener);
    },
  };
}
