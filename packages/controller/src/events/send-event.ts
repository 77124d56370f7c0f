/**
 * One write of one event, and what its failure means.
 *
 *     EventWrite → sendEvent → create, or patch of the series
 */
import { Event } from "@drover/api/events/v1";
import { isTransportError } from "@drover/client";
import type { CallOptions, Client } from "@drover/client";
import { findApiError, findCause, hasStatusCause, isAlreadyExists, isNotFound } from "@drover/machinery";
import type { EventWrite } from "./event-series-state.ts";

/** The two verbs that events need; also what a role must allow. */
export type EventClient = Pick<Client, "create" | "patch">;

/**
 * Tells the server. An event that is gone there (they are kept an hour) is created anew; one that is there although it was not known to
 * be is ours, of an attempt whose answer was lost: the name is used for nothing else.
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
 * Whether the same write may succeed later. A refusal (4xx) stays one, but for those that are about the moment: too many requests, a time
 * limit, a conflict, credentials that are being renewed. What never got an answer is tried again.
 */
export function mayHelpToRetry(error: unknown): boolean {
  // The request could not be written: an invalid object, name or header.
  if (error instanceof TypeError || findCause(error, isTransportError)?.reason === "invalid-request") return false;
  const code = findApiError(error)?.code;
  return code === undefined || code < 400 || code >= 500 || code === 401 || code === 408 || code === 409 || code === 429;
}

/**
 * Whether there is no place any more where the event could stand: its namespace is gone or on its way out. A server
 * that knows no events says "not found" of something else.
 */
export function isNamespaceGone(error: unknown): boolean {
  return (isNotFound(error) && findApiError(error)?.details?.kind === "namespaces") || hasStatusCause(error, "NamespaceTerminating");
}
