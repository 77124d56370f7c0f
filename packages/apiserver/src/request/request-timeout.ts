/** `?timeout=`: the longest a client waits for an answer that is not a stream. */
import { encodeJson, newBadRequest, newFailure, parseDuration, withTimeout } from "@drover/machinery";
import type { Clock, HttpResponse, Query, Verb } from "@drover/machinery";
import { StatusError } from "../status-error.ts";

/** What is left of a request that has a timeout. */
export interface RequestDeadline {
  /** Aborts when the timeout expires or the client leaves. */
  readonly signal: AbortSignal;
  /** Milliseconds until the timeout expires; never negative. */
  readonly remainingMs: () => number;
}

export interface RequestTimeoutOptions {
  readonly clock: Clock;
  readonly query: Query;
  readonly verb: Verb;
  /** Aborts when the client leaves. @default never */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `work` within the timeout of the query; undefined when it expires. The work is not waited for then: it ends by its deadline,
 * which is undefined without a timeout. Throws a 400 for an invalid timeout.
 */
export async function withRequestTimeout<T>(
  { clock, query, verb, signal: parent }: RequestTimeoutOptions,
  work: (deadline: RequestDeadline | undefined) => Promise<T>,
): Promise<T | undefined> {
  const text = query.get("timeout")?.[0] ?? "";
  if (text === "" || verb === "watch") return await work(undefined);
  const timeoutMs = readTimeout(text);
  if (timeoutMs === 0) return await work(undefined);
  // Nothing is that fast.
  if (timeoutMs < 0.001) return undefined;
  const endMs = clock.monotonic() + timeoutMs;
  const remainingMs = (): number => Math.max(0, endMs - clock.monotonic());
  return await withTimeout(
    clock,
    timeoutMs,
    (signal) =>
      new Promise<T | undefined>((resolve, reject) => {
        signal.addEventListener("abort", () => (parent?.aborted === true ? reject(parent.reason) : resolve(undefined)), { once: true });
        work({ signal, remainingMs }).then(resolve, reject);
      }),
    parent === undefined ? {} : { signal: parent },
  );
}

/** Throws the 400 of an invalid timeout. kube-apiserver checks it before it asks who sends the request. */
export function checkRequestTimeout(query: Query): void {
  const text = query.get("timeout")?.[0] ?? "";
  if (text !== "") readTimeout(text);
}

function readTimeout(text: string): number {
  try {
    return Math.max(0, parseDuration(text));
  } catch (error) {
    throw new StatusError(newBadRequest(`invalid timeout specified in the request URL - ${(error as Error).message}`));
  }
}

const {
  kind: _kind,
  apiVersion: _version,
  ...expired
} = newFailure(504, "Timeout", "Timeout: request did not complete within the allotted timeout", {});

/** A Status without its kind, as text: kube-apiserver writes it past all negotiation. */
export const timeoutResponse: HttpResponse = {
  status: 504,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body: `${encodeJson(expired)}\n`,
};
