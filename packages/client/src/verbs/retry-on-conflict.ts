/**
 * Read, change, write, and begin again when somebody else was faster.
 *
 *     retryOnConflict(runtime, async () => { read; change; write })        updateWithRetry does the three for you
 */
import { defaultRetry, edit, isConflict, retryOnError } from "@drover/machinery";
import type { Backoff, DeepMutable, DeepReadonly, Kind, KubeObject, Random, RetryOptions, Scope } from "@drover/machinery";
import type { InNamespace, WriteOptions } from "./call-options.ts";
import type { Client } from "./client.ts";

/** How often, and by which clock. */
export interface RetryOnConflictOptions extends RetryOptions {
  /** How often, and how long to wait in between. @default `defaultRetry`: five attempts, 10 ms apart and up to a tenth more */
  readonly backoff?: Backoff;
}

/**
 * Runs `work` until it does not end in a conflict, or the attempts are used up; then rejects with the last conflict. Any other error is
 * final. The work must read the object anew each time, or it will fail in the same way again.
 */
export function retryOnConflict<T>({ backoff = defaultRetry, ...options }: RetryOnConflictOptions, work: () => Promise<T>): Promise<T> {
  return retryOnError(backoff, isConflict, work, options);
}

/** How an object is changed. */
export interface UpdateWithRetryOptions extends WriteOptions {
  /** Where the jitter between attempts comes from. */
  readonly random: Random;
  /** How often, and how long to wait in between. @default `defaultRetry` */
  readonly backoff?: Backoff;
}

/**
 * Changes one object: reads it, lets `change` work on a copy, and writes that, again and again until there is no conflict. When `change`
 * changes nothing, nothing is written. Resolves to the object as it then is.
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
  const { random, backoff = defaultRetry, ...rest } = options;
  // What is left of a union of two shapes after taking two fields out of it is beyond the compiler.
  const call = rest as unknown as WriteOptions & InNamespace<S>;
  const { signal } = call;
  const resource = client.resource(kind);
  return retryOnConflict({ clock: client.clock, random, backoff, ...(signal === undefined ? {} : { signal }) }, async () => {
    const object = await resource.get(name, call);
    const next = edit(object, change);
    return next === object ? object : resource.update(next as DeepReadonly<T>, call);
  });
}
