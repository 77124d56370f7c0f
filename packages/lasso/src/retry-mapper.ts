/**
 * A mapper that does not give up: each question is asked until there is an answer, so that a program may start before
 * its CRDs, or before its
 * API server, and says in the log what it waits for.
 *
 *     DynamicMapper → newRetryMapper → SharedClientFactory
 */
import type { DynamicMapper } from "@drover/client";
import { delayFunc, isAmbiguousError, sleep } from "@drover/machinery";
import type { Backoff, Runtime, WaitOptions } from "@drover/machinery";

/** The questions of client-go's `meta.RESTMapper`. */
export type Mapper = Pick<
  DynamicMapper,
  "kindFor" | "kindsFor" | "resourceFor" | "resourcesFor" | "restMapping" | "restMappings" | "singularFor"
>;

export interface RetryMapperOptions {
  readonly runtime: Pick<Runtime, "clock" | "random" | "log">;
  /** The pauses between attempts. @default 500 ms, doubling up to 30 s, each up to a fifth longer */
  readonly backoff?: Backoff;
}

const patient: Backoff = { duration: 500, factor: 2, steps: 20, cap: 30_000, jitter: 0.2 };

/**
 * Asks until there is an answer; hand in a signal to give up. Only what is ambiguous is refused at once, since waiting does not make it
 * clearer.
 */
export function newRetryMapper(mapper: Mapper, { runtime: { clock, random, log }, backoff = patient }: RetryMapperOptions): Mapper {
  const persist = async <T>(question: string, about: unknown, ask: () => Promise<T>, { signal }: WaitOptions = {}): Promise<T> => {
    const nextDelay = delayFunc(backoff, random);
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      try {
        return await ask();
      } catch (error) {
        if (signal?.aborted === true || isAmbiguousError(error)) throw error;
        const afterMs = Math.round(nextDelay());
        log.warn("the server does not know a resource or cannot say; it will be asked again", { question, about, attempt, afterMs, error });
        await sleep(clock, afterMs, signal === undefined ? {} : { signal });
      }
    }
  };
  return {
    kindFor: (partial, options) => persist("kindFor", partial, () => mapper.kindFor(partial, options), options),
    kindsFor: (partial, options) => persist("kindsFor", partial, () => mapper.kindsFor(partial, options), options),
    resourceFor: (partial, options) => persist("resourceFor", partial, () => mapper.resourceFor(partial, options), options),
    resourcesFor: (partial, options) => persist("resourcesFor", partial, () => mapper.resourcesFor(partial, options), options),
    restMapping: (kind, options) => persist("restMapping", kind, () => mapper.restMapping(kind, options), options),
    restMappings: (kind, options) => persist("restMappings", kind, () => mapper.restMappings(kind, options), options),
    singularFor: (resource, options) => persist("singularFor", resource, () => mapper.singularFor(resource, options), options),
  };
}
