/**
 * Which pods are taken down in a rolling update, so that they come back at the update revision.
 *
 * A server that knows `maxUnavailable` gives it to every set that says nothing; where it is absent, the set is updated
 * in the way from before:
 * one pod at a time, from the last down, each waited for.
 */
import { scaledValueFromIntOrPercent } from "@drover/machinery";
import type { IntOrString } from "@drover/machinery";
import { isPodFinished } from "../shared/pod-state.ts";
import type { PodView } from "../shared/pod-state.ts";
import { isCreated, isGoing, isUnavailable } from "./member-state.ts";
import type { Patience } from "./member-state.ts";
import { podRevision } from "./pod-identity.ts";

export interface OutdatedOptions extends Patience {
  /** The name of the revision to get to. */
  readonly update: string;
  /** How many replicas, from the first on, are left alone. */
  readonly partition: number;
  readonly isOrdered: boolean;
  readonly maxUnavailable: IntOrString | undefined;
}

/** @param replicas - from the first to the last, also those that are about to be created */
export function outdatedToRemove(replicas: readonly PodView[], options: OutdatedOptions): readonly PodView[] {
  const reachable = replicas.slice(options.partition).toReversed();
  return options.maxUnavailable === undefined
    ? oneByOne(reachable, options)
    : withinBudget(replicas, reachable, options, budget(options.maxUnavailable, replicas.length));
}

/** Those behind one that is not available, though new, wait for it. */
function oneByOne(reachable: readonly PodView[], options: OutdatedOptions): readonly PodView[] {
  const next = reachable.find((pod) => isOutdated(pod, options) || isUnavailable(pod, options));
  return next !== undefined && isOutdated(next, options) ? [next] : [];
}

/** Where order does not matter, old pods that serve nobody cost nothing: they go first, whatever the budget. */
function withinBudget(
  replicas: readonly PodView[],
  reachable: readonly PodView[],
  options: OutdatedOptions,
  allowed: number,
): readonly PodView[] {
  const outdated = reachable.filter((pod) => isOutdated(pod, options));
  const room = Math.max(0, allowed - replicas.filter((pod) => isUnavailable(pod, options)).length);
  if (options.isOrdered) return outdated.slice(0, room);
  const broken = outdated.filter((pod) => isUnavailable(pod, options));
  return [...broken, ...outdated.filter((pod) => !isUnavailable(pod, options)).slice(0, room)];
}

/** A part of the replicas is rounded down, but one may always go. */
function budget(maxUnavailable: IntOrString, replicas: number): number {
  return Math.max(1, scaledValueFromIntOrPercent(maxUnavailable, replicas, { round: "down" }));
}

/** Whether it can be taken down for the update; one that has ended, is going or is yet to come makes room by itself. */
function isOutdated(pod: PodView, { update }: OutdatedOptions): boolean {
  return podRevision(pod) !== update && isCreated(pod) && !isPodFinished(pod) && !isGoing(pod);
}
