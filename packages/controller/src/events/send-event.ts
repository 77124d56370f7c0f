/**
 * Writes one event, and classifies failures.
 *
 *     EventWrite → sendEvent → create, or patch of the series
 */
import { Event } from "@drover/api/events/v1";
import { isTransportError } from "@drover/client";
import type { CallOptions, Client } from "@drover/client";
import { findApiError, findCause, hasStatusCause, isAlreadyExists, isInstanceOf, isNotFound } from "@drover/machinery";
import type { EventWrite } from "./event-series-state.ts";

/** The two verbs that events need; a role must allow both. */
export type EventClient = Pick<Client, "create" | "patch">;

/**
 * Writes an event. Creates it again if it has expired on the server (after an hour). If it unexpectedly exists, an earlier attempt created
 * it and its response was lost, because names are never reused; then only the series is patched.
 */
export async function sendEvent(client: EventClient, { event, isOnServer }: EventWrite, call: CallOptions): Promise<void> {
  const { name = "", namespace = "" } = event.metadata;
  const patchSeries = async (): Promise<void> => {
    if (event.series !== undefined)
      await client.patch(Event, name, { type: "merge", body: { series: event.series } }, { ...call, namespace });
  };
  if (isOnServer) {
    try {
      return await patchSeries();
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  try {
    await client.create(Event, event, { ...call, namespace });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    await patchSeries();
  }
}

/**
 * Reports whether the same write may succeed later. A 4xx response is final, except for temporary ones: too many requests, timeout,
 * conflict, credentials being renewed. Requests without a response are retried.
 */
export function mayHelpToRetry(error: unknown): boolean {
  // The request could not be written: an invalid object, name or header.
  if (isInstanceOf(error, TypeError) || findCause(error, isTransportError)?.reason === "invalid-request") return false;
  const code = findApiError(error)?.code;
  return code === undefined || code < 400 || code >= 500 || code === 401 || code === 408 || code === 409 || code === 429;
}

/**
 * Reports whether the namespace of the event is gone or terminating. A server without the events API answers "not found" about another
 * kind.
 */
export function isNamespaceGone(error: unknown): boolean {
  return (isNotFound(error) && findApiError(error)?.details?.kind === "namespaces") || hasStatusCause(error, "NamespaceTerminating");
}
