/**
 * One request about a lease, and what its answer means to the machine. Never rejects: an election has no failures, only attempts.
 *
 *     LeaseAction → requestLease → client → LeaseOutcome
 */
import { Lease } from "@drover/api/coordination/v1";
import type { Client } from "@drover/client";
import { abortable, deadline, isAlreadyExists, isConflict, isNotFound } from "@drover/machinery";
import type { LeaseAction, LeaseInput } from "./lease-state.ts";

/** The actions that are requests. */
export type LeaseRequest = LeaseAction & { readonly kind: "read" | "create" | "update" };

/** What happened, without when. */
export type LeaseOutcome = LeaseInput extends infer Input ? (Input extends LeaseInput ? Omit<Input, "at" | "chance"> : never) : never;

export interface LeaseRequestOptions {
  readonly client: Client;
  readonly lease: { readonly namespace: string; readonly name: string };
  /** How long it may take; a transport that does not listen to its signal is left behind then. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Is told of failures, those not counted that are answers: no such lease, changed since. */
  readonly onError: (error: unknown) => void;
}

/** Does what the machine asks for. */
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
