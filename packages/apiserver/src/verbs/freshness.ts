/** Waits until the store has reached a revision. */
import { deadline, newResourceExpired, newTooLargeResourceVersion } from "@drover/machinery";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { StatusError } from "../status-error.ts";
import { CompactedError, FutureRevisionError } from "../storage/store.ts";
import type { Revision } from "../storage/store.ts";

/**
 * Resolves once the store has reached `revision`, with a revision to read at that needs no question to other programs; undefined means the
 * latest. Throws the 504 "too large resource version" after the freshness timeout, and a 410 for a revision that was lost.
 */
export async function untilFresh(
  backend: Backend,
  context: RequestContext,
  revision: bigint,
  { retryAfterSeconds = 1 }: { readonly retryAfterSeconds?: number } = {},
): Promise<Revision | undefined> {
  const {
    objects: { store },
    runtime,
    limits,
  } = backend;
  const { request } = context;
  const cached = store.cached?.();
  if (cached !== undefined && BigInt(cached) >= revision) return cached;
  const current = await store.revision();
  if (BigInt(current) >= revision) return undefined;
  await refuseLost(backend, revision);
  const { signal, release } = deadline(
    runtime.clock,
    limits.freshnessTimeoutMs,
    request.signal === undefined ? {} : { signal: request.signal },
  );
  try {
    for await (const batch of store.watch("", { from: current + 1, signal })) {
      if (BigInt(batch.revision) >= revision) return undefined;
    }
  } catch (error) {
    request.signal?.throwIfAborted();
    if (!signal.aborted && !(error instanceof CompactedError)) throw error;
  } finally {
    release();
  }
  const newest = await store.revision();
  if (BigInt(newest) >= revision) return undefined;
  if (signal.aborted) throw tooLarge(revision, newest, retryAfterSeconds);
  // A compaction dropped part of the log that was waited for, so those writes have happened; wait for the rest.
  return await untilFresh(backend, context, revision, { retryAfterSeconds });
}

/** Throws a 410 for a revision of a history that the store has lost: no write will bring it back. */
async function refuseLost({ objects: { store } }: Backend, revision: bigint): Promise<void> {
  try {
    await store.get("", { revision: Number(revision) });
  } catch (error) {
    if (error instanceof CompactedError) throw new StatusError(newResourceExpired("The resourceVersion for the provided list is too old."));
    if (!(error instanceof FutureRevisionError)) throw error;
  }
}

function tooLarge(revision: bigint, current: number, retryAfterSeconds: number): StatusError {
  const headers = retryAfterSeconds === 0 ? {} : { "retry-after": String(retryAfterSeconds) };
  return new StatusError(newTooLargeResourceVersion(String(revision), String(current), retryAfterSeconds), headers);
}
