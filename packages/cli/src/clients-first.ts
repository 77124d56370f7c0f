/**
 * Lets programs that wait for the kubeconfig have their first answers before the controllers take the processor: their start takes
 * 0.2 s of it, in turns of up to 70 ms, and a client waits for about five of them until it has connected and asked.
 */
import type { Clock } from "@drover/machinery";

/** A client that has been silent for so long is not about to ask again. */
const quietMs = 30;
/** The cluster is not delayed for longer, however many clients there are. */
const delayMsMax = 300;

/** Options of `clientsFirst`. */
export interface ClientsFirstOptions {
  readonly clock: Pick<Clock, "monotonic">;
  /** When a client opened a connection or sent a request last. */
  readonly heardMs: () => number;
}

/** Returns a function that says whether to wait for clients now. */
export function clientsFirst({ clock, heardMs }: ClientsFirstOptions): () => boolean {
  const began = clock.monotonic();
  return () => {
    const now = clock.monotonic();
    return now - heardMs() < quietMs && now - began < delayMsMax;
  };
}
