/** Waits until the store has reached a revision. */
import { deadline, newTooLargeResourceVersion } from "@drover/machinery";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { StatusError } from "../status-error.ts";
import { CompactedError } from "../storage/store.ts";

/** Resolves once the store has reached `revision`. Throws the 504 "too large resource version" after the freshness timeout. */
export async function untilFresh(
  backend: Backend,
  context: RequestContext,
  revision: bigint,
  { retryAfterSeconds = 1 }: { readonly retryAfterSeconds?: number } = {},
): Promise<void> {
  const {
    objects: { store },
    runtime,
    limits,
  } = backend;
  const { request } = context;
  const current = await store.revision();
  if (BigInt(current) >= revision) return;
  const { signal, release } = deadline(
    runtime.clock,
    limits.freshnessTimeoutMs,
    request.signal === undefined ? {} : { signal: request.signal },
  );
  try {
    for await (const batch of store.watch("", { from: current + 1, signal })) {
      if (BigInt(batch.revision) >= revision) return;
    }
  } catch (error) {
    request.signal?.throwIfAborted();
    if (!signal.aborted && !(error instanceof CompactedError)) throw error;
  } finally {
    release();
  }
  const newest = await store.revision();
  if (BigInt(newest) >= revision) return;
  if (signal.aborted) throw tooLarge(revision, newest, retryAfterSeconds);
  // A compaction dropped part of the log that was waited for, so those writes have happened; wait for the rest.
  await untilFresh(backend, context, revision, { retryAfterSeconds });
}

function tooLarge(revision: bigint, current: number, retryAfterSeconds: number): StatusError {
  const headers = retryAfterSeconds === 0 ? {} : { "retry-after": String(retryAfterSeconds) };
  return new StatusError(newTooLargeResourceVersion(String(revision), String(current), retryAfterSeconds), headers);
}
