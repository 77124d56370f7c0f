/**
 * Where our cluster differs from the real parts, and why, on purpose or for now. A difference that is not listed fails
 * the suite, and so does an entry that is no longer true.
 */
import type { Difference } from "./compare.ts";
import type { Scene } from "./scene.ts";

export interface KnownDifference {
  readonly scenes: readonly string[];
  /** The name of the fact must contain this. */
  readonly about: string;
  /** The step of the difference. @default any */
  readonly step?: string;
  readonly reason: string;
  /** Whether a race decides, in ours or in the real parts, so that a run may see no difference. @default false: every run has one */
  readonly sometimes?: boolean;
}

export const knownDifferences: readonly KnownDifference[] = [
  {
    scenes: ["paused and resumed", "paused from the start", "paused in the middle"],
    about: "way of Deployment web: condition Progressing",
    reason:
      "upstream writes that the Deployment was resumed, and then trips over its own write when it wants to say that it has made a ReplicaSet; ours goes on with what it has written",
  },
  {
    scenes: ["a namespace with content", "a namespace with pods that take their time"],
    about: "condition NamespaceContentRemaining",
    reason: "while pods remain upstream says that all content was removed; ours says what remains",
  },
  {
    scenes: ["a set orphans its pods", "a Deployment orphans its sets"],
    about: "status.",
    sometimes: true,
    reason:
      'after the pods are orphaned, the controller counts the owner once more while the garbage collector removes its finalizer. Upstream always counts first; on ours the owner usually goes first. A held owner is counted on both: "a held set orphans its pods"',
  },
  {
    scenes: ["a StatefulSet that orphans its pods"],
    step: "orphaned",
    about: "way of StatefulSet web: status.",
    sometimes: true,
    reason: "the same race: upstream never counts a StatefulSet again, ours does at times",
  },
  {
    scenes: ["a Deployment orphans its sets"],
    step: "orphaned",
    about: "of Deployment web: condition Available",
    sometimes: true,
    reason: "the same: upstream counts none at times, before the Deployment goes",
  },
  {
    scenes: ["a DaemonSet and a node that takes no more"],
    step: "tainted",
    about: "of DaemonSet agent",
    reason: "upstream does not count again when a node takes no more pods but keeps those it has; ours does at once",
  },
  {
    scenes: ["a DaemonSet and a node that takes no more"],
    step: "looked at again",
    about: "way of DaemonSet agent",
    reason: "upstream counts what ours has counted in the step before",
  },
  {
    scenes: ["slices that are full"],
    step: "down",
    about: "of EndpointSlice web-*",
    sometimes: true,
    reason:
      "ours fills slices in the order in which the pods came, so that the youngest stand together and, when pods were made over several seconds, go together with their slice; upstream puts them in at random",
  },
  {
    scenes: ["owners in a circle"],
    about: "of ConfigMap b",
    sometimes: true,
    reason:
      "what belongs to each other goes in the foreground or at once, as the graph of owners has been seen; the real parts do it both ways",
  },
  {
    scenes: ["a DaemonSet and a node that is tainted"],
    about: "of Pod agent-*",
    sometimes: true,
    reason:
      "the DaemonSet controller and taint eviction race to delete the pod, and only taint eviction records why; the real parts do it both ways",
  },
  ...["way of DaemonSet agent: status.numberMisscheduled", "told of DaemonSet agent: Normal SuccessfulDelete"].map((about) => ({
    scenes: ["a DaemonSet and a node that is tainted"],
    step: "tainted",
    about,
    sometimes: true,
    reason: "the same race: when taint eviction is first, the DaemonSet controller counts and deletes nothing",
  })),
  ...["way of Deployment web: ", "way of ReplicaSet web-#1: status.", "way of EndpointSlice web-*: endpoints"].map((about) => ({
    scenes: ["deleted in the foreground", "a namespace with content"],
    step: "deleted",
    about,
    sometimes: true,
    reason:
      "when the last pod is gone, controllers update the object once more while the garbage collector or the namespace controller removes it. Ours first wait until the cache shows their previous write, so the object may go first",
  })),
  {
    scenes: ["a Job that orphans its pods"],
    about: "way of Job work: status.active",
    sometimes: true,
    reason: "the same race, after the pods are orphaned: upstream never counts the Job again, ours does at times",
  },
  ...["way of Deployment web: status.", "way of ReplicaSet web-#", "Normal ScalingReplicaSet"].map((about) => ({
    scenes: ["a rollout in percent", "a short history", "paused and resumed", "scaled during a rollout"],
    about,
    sometimes: true,
    reason:
      "the size of a rollout's steps depends on how many pods became ready since the step before. Our pods often become ready together, so ours takes larger steps at times; the end of the rollout is the same",
  })),
];

/** The entry that explains a difference, if there is one. */
export function explanationOf(
  { name }: Scene,
  { about, step }: Difference,
  known: readonly KnownDifference[] = knownDifferences,
): KnownDifference | undefined {
  return known.find((entry) => entry.scenes.includes(name) && about.includes(entry.about) && (entry.step ?? step) === step);
}
