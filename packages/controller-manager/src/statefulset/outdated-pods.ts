/**
 * Which pods a rolling update deletes, so that they are created again at the update revision.
 *
 * A server that knows `maxUnavailable` sets its default on every set. Where it is absent, the original behaviour applies: one pod
 * at a time, from the last down, each waited for.
 */
import { scaledValueFromIntOrPercent } from "@drover/machinery";
import type { IntOrString } from "@drover/machinery";
import { isPodFinished } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";
import { isCreated, isGoing, isUnavailable } from "./member-state.ts";
import type { Patience } from "./member-state.ts";
import { podRevision } from "./pod-identity.ts";
import type { SetMembers } from "./set-members.ts";

export interface OutdatedOptions extends Patience {
  /** Name of the target revision. */
  readonly update: string;
  /** Number of replicas, from the first on, that are left alone. */
  readonly partition: number;
  readonly isOrdered: boolean;
  readonly maxUnavailable: IntOrString | undefined;
}

export function outdatedToRemove(members: SetMembers, options: OutdatedOptions): readonly PodView[] {
  const reachable = members.existingFrom(options.partition).toReversed();
  return options.maxUnavailable === undefined
    ? oneByOne(members, reachable, options)
    : withinMaximum(members, reachable, options, unavailableMax(options.maxUnavailable, members.count));
}

/** Pods below a pod that is missing, or new and not available, wait for it. */
function oneByOne(members: SetMembers, reachable: readonly PodView[], options: OutdatedOptions): readonly PodView[] {
  const next = reachable.find((pod) => isOutdated(pod, options) || isUnavailable(pod, options));
  return next !== undefined && isOutdated(next, options) && !members.isMissingAfter(next) ? [next] : [];
}

/** With parallel management, old pods that are unavailable are deleted first, regardless of the maximum. */
function withinMaximum(members: SetMembers, reachable: readonly PodView[], options: OutdatedOptions, allowed: number): readonly PodView[] {
  const outdated = reachable.filter((pod) => isOutdated(pod, options));
  const unavailable = members.missing + members.existing.filter((pod) => isUnavailable(pod, options)).length;
  const room = Math.max(0, allowed - unavailable);
  if (options.isOrdered) return outdated.slice(0, room);
  const broken = outdated.filter((pod) => isUnavailable(pod, options));
  return [...broken, ...outdated.filter((pod) => !isUnavailable(pod, options)).slice(0, room)];
}

/** Percentages round down, but at least one pod may go. */
function unavailableMax(maxUnavailable: IntOrString, replicas: number): number {
  return Math.max(1, scaledValueFromIntOrPercent(maxUnavailable, replicas, { round: "down" }));
}

/** Whether the update may delete it; a pod that has finished or is being deleted makes room by itself. */
function isOutdated(pod: PodView, { update }: OutdatedOptions): boolean {
  return podRevision(pod) !== update && isCreated(pod) && !isPodFinished(pod) && !isGoing(pod);
}
