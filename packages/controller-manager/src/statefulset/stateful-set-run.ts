/** What one sync of a StatefulSet works with, and how it records events about pods and claims. */
import type { PersistentVolumeClaim } from "@drover/api/core/v1";
import type { InformerView } from "@drover/cache";
import type { Client } from "@drover/client";
import type { EventRecorder } from "@drover/controller";
import { errorText } from "@drover/machinery";
import type { Random } from "@drover/machinery";
import { isNamespaceTerminating } from "../shared/pod-control.ts";
import type { PodView } from "../shared/pod-state.ts";
import type { ClaimView, StatefulSetView } from "./stateful-set-view.ts";

export interface StatefulSetRun {
  readonly client: Client;
  readonly events: EventRecorder;
  readonly claims: Pick<InformerView<PersistentVolumeClaim>, "get">;
  readonly random: Random;
  /** Signal of the run. A failure after the run ended is not recorded. */
  readonly signal: AbortSignal;
}

/** The attempted action. */
export type PodVerb = "Create" | "Delete" | "Update";

/** An error, or success. */
export interface Outcome {
  readonly error?: unknown;
}

/** Records the outcome for a pod as an event on the set. */
export function tellPod({ events, signal }: StatefulSetRun, verb: PodVerb, set: StatefulSetView, pod: PodView, outcome: Outcome): void {
  const what = `${verb} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
  if (!("error" in outcome))
    events.eventf({
      regarding: set,
      related: pod,
      type: "Normal",
      reason: `Successful${verb}`,
      action: `${verb}Pod`,
      note: `${what} successful`,
    });
  else if (isWorthTelling(signal, outcome.error))
    events.eventf({
      regarding: set,
      type: "Warning",
      reason: `Failed${verb}`,
      action: `${verb}Pod`,
      note: `${what} failed error: ${errorText(outcome.error)}`,
    });
}

/** Records the outcome for a claim as an event on the set. */
export function tellClaim(
  { events, signal }: StatefulSetRun,
  set: StatefulSetView,
  pod: PodView,
  claim: ClaimView,
  outcome: Outcome,
): void {
  const [what, where] = [`Create Claim ${claim.metadata.name}`, `Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`];
  if (!("error" in outcome))
    events.eventf({ regarding: set, type: "Normal", reason: "SuccessfulCreate", action: "CreateClaim", note: `${what} ${where} success` });
  else if (isWorthTelling(signal, outcome.error))
    events.eventf({
      regarding: set,
      type: "Warning",
      reason: "FailedCreate",
      action: "CreateClaim",
      note: `${what} for ${where} failed error: ${errorText(outcome.error)}`,
    });
}

/** A terminating namespace accepts no events either. */
function isWorthTelling(signal: AbortSignal, error: unknown): boolean {
  return !signal.aborted && !isNamespaceTerminating(error);
}
