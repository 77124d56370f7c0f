/**
 * Read, change, write, and start again if another client wrote first.
 *
 *     retryOnConflict(runtime, async () => { read; change; write })        updateWithRetry does the three for you
 */
import { definedOnly, defaultRetry, edit, isConflict, retryOnError } from "@drover/machinery";
import type { Backoff, DeepMutable, DeepReadonly, Kind, KubeObject, Random, RetryOptions, Scope } from "@drover/machinery";
import type { InNamespace, WriteOptions } from "./call-options.ts";
import type { Client } from "./client.ts";

/** Backoff, clock and random source. */
export interface RetryOnConflictOptions extends RetryOptions {
  /** Number of attempts and delays. @default `defaultRetry`: five attempts, 10 ms apart plus up to 10 % jitter */
  readonly backoff?: Backoff;
}

/**
 * Runs `work` until it ends without a conflict; after the last attempt, rejects with the last conflict. Any other error is
 * final. `work` must read the object each time, or it fails in the same way again.
 */
export function retryOnConflict<T>({ backoff = defaultRetry, ...options }: RetryOnConflictOptions, work: () => Promise<T>): Promise<T> {
  return retryOnError(backoff, isConflict, work, options);
}

/** Options to change an object. */
export interface UpdateWithRetryOptions extends WriteOptions {
  /** Random source for the jitter between attempts. */
  readonly random: Random;
  /** Number of attempts and delays. @default `defaultRetry` */
  readonly backoff?: Backoff;
}

/**
 * Changes one object: reads it, calls `change` with a copy, and writes the copy; repeats on a conflict. Writes nothing if
 * `change` changes nothing. Resolves to the resulting object.
 *
 *     await updateWithRetry(client, Deployment, "web", (draft) => { draft.metadata.labels = { team: "shop" }; }, { random });
 */
export function updateWithRetry<T extends KubeObject, S extends Scope>(
  client: Client,
  kind: Kind<T, S>,
  name: string,
  change: (draft: DeepMutable<NoInfer<T>>) => void,
  options: UpdateWithRetryOptions & InNamespace<S>,
): Promise<T> {
  const { random, backoff = defaultRetry, signal } = options;
  const resource = client.resource(kind);
  return retryOnConflict({ clock: client.clock, random, backoff, ...definedOnly({ signal }) }, async () => {
    const object = await resource.get(name, options);
    const next = edit(object, change);
    return next === object ? object : resource.update(next as DeepReadonly<T>, options);
  });
}
