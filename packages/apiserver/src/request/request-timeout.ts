/** `?timeout=`: the longest a client waits for an answer that is not a stream. */
import { encodeJson, newBadRequest, newFailure, parseDuration, withTimeout } from "@drover/machinery";
import type { Clock, HttpResponse, Query, Verb } from "@drover/machinery";
import { StatusError } from "../status-error.ts";

/** Runs `work` within the timeout of the query; undefined when it expires. Throws a 400 for an invalid timeout. */
export async function withRequestTimeout<T>(clock: Clock, query: Query, verb: Verb, work: () => Promise<T>): Promise<T | undefined> {
  const text = query.get("timeout")?.[0] ?? "";
  if (text === "" || verb === "watch") return await work();
  const timeoutMs = readTimeout(text);
  if (timeoutMs === 0) return await work();
  // Nothing is that fast.
  if (timeoutMs < 0.001) return undefined;
  return await withTimeout(
    clock,
    timeoutMs,
    (signal) =>
      new Promise<T | undefined>((resolve, reject) => {
        signal.addEventListener("abort", () => resolve(undefined), { once: true });
        work().then(resolve, reject);
      }),
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
