/**
 * Whether the server may have seen a request. Only then is it unknown what became of a write that was called off; one that still waited
 * for a credential, its turn or a connection can be repeated without a thought.
 *
 *     trackSent (whoever sets a deadline) ← onSent ← whileUnsent (whoever waits), sockets
 */
import type { HttpRequest } from "@drover/machinery";

export interface SentRequest {
  /** The request to be handed on. */
  readonly request: HttpRequest;
  /** Whether the server may have seen it by now. */
  readonly wasSent: () => boolean;
}

/** Keeps track of a request that is about to be handed on. A transport that tells nothing counts as one that sends at once. */
export function trackSent(request: HttpRequest): SentRequest {
  let sent: "no" | "maybe" = "maybe";
  const onSent = (now: "no" | "maybe"): void => {
    sent = now;
    request.onSent?.(now);
  };
  return { request: { ...request, onSent }, wasSent: () => sent === "maybe" };
}

/**
 * Waits, and says that nothing of the request is on its way as long as that takes. Afterwards it counts as sent again, since whoever is
 * handed the request next may tell nothing. Before a wait that follows an attempt, that attempt is known to have done nothing.
 */
export async function whileUnsent<T>({ onSent }: HttpRequest, wait: () => Promise<T>): Promise<T> {
  onSent?.("no");
  const result = await wait();
  onSent?.("maybe");
  return result;
}
