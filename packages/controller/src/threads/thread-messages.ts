/** What the main thread of a program and its threads tell each other. Plain data, copied between threads. */
import type { ObjectKey } from "@drover/machinery";
import type { ShardLayout } from "../shards/shard-layout.ts";
import type { EnqueueOptions } from "../reconcile/controller.ts";

/** What a thread knows from its start. */
export interface ThreadSeat {
  /** Number of this thread, from 1. */
  readonly thread: number;
  /** Number of threads of the program. */
  readonly threads: number;
  /** Shards of the replica; one if there is only one lease, or none. */
  readonly layout: ShardLayout;
  /** Names of the leases by shard, "namespace/name". */
  readonly leases: readonly string[];
  readonly leaseDurationMs: number;
  /** Memory of `SharedLeases`. */
  readonly buffer: SharedArrayBuffer;
}

/** A message to a thread. `ask` is the number of the reply. */
export type ToThread =
  | { readonly kind: "acquired"; readonly shard: number; readonly term: number }
  | { readonly kind: "released"; readonly shard: number; readonly why: string; readonly isLost: boolean; readonly ask: number }
  | { readonly kind: "enqueue"; readonly controller: string; readonly key: ObjectKey; readonly options: EnqueueOptions }
  | { readonly kind: "workers"; readonly controller: string; readonly count: number }
  | { readonly kind: "metrics"; readonly ask: number }
  | { readonly kind: "stop"; readonly why: string };

/** A message from a thread. */
export type FromThread =
  /** The program has called `run`. */
  | { readonly kind: "running" }
  /** Every second. `problem` is why the thread is not ready; "" if it is. */
  | { readonly kind: "beat"; readonly problem: string }
  /** No work of the shard is left. `isClean` if nothing was abandoned that may still reach the server. */
  | { readonly kind: "released"; readonly ask: number; readonly isClean: boolean }
  /** Text in the format of Prometheus. */
  | { readonly kind: "metrics"; readonly ask: number; readonly text: string }
  /** `run` has ended; `error` is "" unless it failed. */
  | { readonly kind: "ended"; readonly error: string };

/** The end of a channel in a thread. */
export interface ThreadPort {
  post(message: FromThread): void;
  /** Sets the only receiver; messages before that wait. Returns a function that ends it. */
  receive(receiver: (message: ToThread) => void): () => void;
}
