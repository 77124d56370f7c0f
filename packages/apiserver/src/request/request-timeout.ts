/** `?timeout=`: the longest a client waits for an answer that is not a stream. */
import { newBadRequest, newFailure, parseDuration, withTimeout } from "@drover/machinery";
import type { Clock, Query, Verb } from "@drover/machinery";
import { StatusError } from "../status-error.ts";

/** Runs `work` within the timeout of the query. Throws a 400 for an invalid timeout and a 504 when it expires. */
export async function withRequestTimeout<T>(clock: Clock, query: Query, verb: Verb, work: () => Promise<T>): Promise<T> {
  const text = query.get("timeout")?.[0] ?? "";
  if (text === "" || verb === "watch") return await work();
  const timeoutMs = readTimeout(text);
  if (timeoutMs === 0) return await work();
  return await withTimeout(
    clock,
    timeoutMs,
    (signal) =>
      new Promise<T>((resolve, reject) => {
        signal.addEventListener(
          "abort",
          () => reject(new StatusError(newFailure(504, "Timeout", "Timeout: request did not complete within the allotted timeout", {}))),
          { once: true },
        );
        work().then(resolve, reject);
      }),
  );
}

function readTimeout(text: string): number {
  try {
    return Math.max(0, parseDuration(text));
  } catch (error) {
    throw new StatusError(newBadRequest(`invalid timeout specified in the request URL - ${(error as Error).message}`));
  }
}
