/**
 * Sends one request for a lease and translates the response for lease-state. Never rejects: failures are outcomes.
 *
 *     LeaseAction → requestLease → client → LeaseOutcome
 */
import { Lease } from "@drover/api/coordination/v1";
import type { Client } from "@drover/client";
import { abortable, deadline, isAlreadyExists, isConflict, isNotFound } from "@drover/machinery";
import type { LeaseAction, LeaseInput } from "./lease-state.ts";

/** The actions that are requests. */
export type LeaseRequest = LeaseAction & { readonly kind: "read" | "create" | "update" };

/** An input of lease-state without its time. */
export type LeaseOutcome = LeaseInput extends infer Input ? (Input extends LeaseInput ? Omit<Input, "at" | "random"> : never) : never;

export interface LeaseRequestOptions {
  readonly client: Client;
  readonly lease: { readonly namespace: string; readonly name: string };
  /** Timeout in milliseconds; also applies to a transport that ignores its signal. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Receives failures, except expected responses: not found, conflict. */
  readonly onError: (error: unknown) => void;
}

/** Sends the request of an action. */
export async function requestLease(action: LeaseRequest, options: LeaseRequestOptions): Promise<LeaseOutcome> {
  const { client, timeoutMs, onError } = options;
  const { signal, release } = deadline(client.clock, timeoutMs, { signal: options.signal });
  try {
    const lease = await abortable(send(action, options, signal), signal);
    return { kind: action.kind === "read" ? "read" : "written", lease };
  } catch (error) {
    if (action.kind === "read" && isNotFound(error)) return { kind: "absent" };
    if (action.kind !== "read" && (isConflict(error) || isAlreadyExists(error) || (action.kind === "update" && isNotFound(error))))
      return { kind: "conflict" };
    if (!options.signal.aborted) onError(error);
    return { kind: action.kind === "read" ? "read-failed" : "write-failed" };
  } finally {
    release();
  }
}

function send(action: LeaseRequest, { client, lease: { namespace, name } }: LeaseRequestOptions, signal: AbortSignal): Promise<Lease> {
  if (action.kind === "read") return client.get(Lease, name, { namespace, signal });
  return action.kind === "create"
    ? client.create(Lease, action.lease, { namespace, signal })
    : client.update(Lease, action.lease, { namespace, signal });
}
