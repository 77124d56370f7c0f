/**
 * A mapper that retries every question until it has an answer, so that a program may start before its CRDs or its API server, and logs what
 * it waits for.
 *
 *     DynamicMapper → newRetryMapper → SharedClientFactory
 */
import type { DynamicMapper } from "@drover/client";
import { definedOnly, delayFunc, isAmbiguousError, sleep } from "@drover/machinery";
import type { Backoff, Runtime, WaitOptions } from "@drover/machinery";

/** The methods of client-go's `meta.RESTMapper`. */
export type Mapper = Pick<
  DynamicMapper,
  "kindFor" | "kindsFor" | "resourceFor" | "resourcesFor" | "restMapping" | "restMappings" | "singularFor"
>;

/** Options of `newRetryMapper`. */
export interface RetryMapperOptions {
  readonly runtime: Pick<Runtime, "clock" | "random" | "log">;
  /** Delays between attempts. @default 500 ms, doubling up to 30 s, with 20 % jitter */
  readonly backoff?: Backoff;
}

const patient: Backoff = { duration: 500, factor: 2, steps: 20, cap: 30_000, jitter: 0.2 };

/** Returns a mapper that retries until it has an answer; pass a signal to limit it. Ambiguous results reject immediately. */
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
        log.warn("resource lookup failed, retrying", { question, about, attempt, afterMs, error });
        await sleep(clock, afterMs, definedOnly({ signal }));
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
