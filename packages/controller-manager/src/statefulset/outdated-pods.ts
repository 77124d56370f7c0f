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

export interface OutdatedOptions extends Patience {
  /** Name of the target revision. */
  readonly update: string;
  /** Number of replicas, from the first on, that are left alone. */
  readonly partition: number;
  readonly isOrdered: boolean;
  readonly maxUnavailable: IntOrString | undefined;
}

/** @param replicas - first to last, including those about to be created */
export function outdatedToRemove(replicas: readonly PodView[], options: OutdatedOptions): readonly PodView[] {
  const reachable = replicas.slice(options.partition).toReversed();
  return options.maxUnavailable === undefined
    ? oneByOne(reachable, options)
    : withinBudget(replicas, reachable, options, budget(options.maxUnavailable, replicas.length));
}

/** Pods below a new pod that is not available wait for it. */
function oneByOne(reachable: readonly PodView[], options: OutdatedOptions): readonly PodView[] {
  const next = reachable.find((pod) => isOutdated(pod, options) || isUnavailable(pod, options));
  return next !== undefined && isOutdated(next, options) ? [next] : [];
}

/** With parallel management, old pods that are unavailable are deleted first, regardless of the budget. */
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

/** Percentages round down, but at least one pod may go. */
function budget(maxUnavailable: IntOrString, replicas: number): number {
  return Math.max(1, scaledValueFromIntOrPercent(maxUnavailable, replicas, { round: "down" }));
}

/** Whether the update may delete it; a pod that has finished, is being deleted or is yet to come makes room by itself. */
function isOutdated(pod: PodView, { update }: OutdatedOptions): boolean {
  return podRevision(pod) !== update && isCreated(pod) && !isPodFinished(pod) && !isGoing(pod);
}
