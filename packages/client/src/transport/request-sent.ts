/**
 * Tracks whether the server may have received a request. Only then is the outcome of an aborted write unknown; one that was
 * still waiting for a credential, a rate limit or a connection can be repeated safely.
 *
 *     trackSent (sets a deadline) ← onSent ← whileUnsent (waits), sockets
 */
import type { HttpRequest } from "@drover/machinery";

export interface SentRequest {
  /** The request to pass on. */
  readonly request: HttpRequest;
  /** Whether the server may have received it. */
  readonly wasSent: () => boolean;
}

/** Tracks a request that is passed on. A transport that reports nothing counts as one that sends at once. */
export function trackSent(request: HttpRequest): SentRequest {
  let sent: "no" | "maybe" = "maybe";
  const onSent = (now: "no" | "maybe"): void => {
    sent = now;
    request.onSent?.(now);
  };
  return { request: { ...request, onSent }, wasSent: () => sent === "maybe" };
}

/**
 * Waits, and reports the request as not sent for that time. Afterwards it counts as sent again, since the next transport may
 * report nothing. A wait after an attempt means that this attempt had no effect.
 */
export async function whileUnsent<T>({ onSent }: HttpRequest, wait: () => Promise<T>): Promise<T> {
  onSent?.("no");
  const result = await wait();
  onSent?.("maybe");
  return result;
}
