/**
 * Creates pods for nodes and deletes others, at most one burst of each.
 *
 *     PodChanges → expectations → slow start of creates, then deletes all at once → the first error
 */
import { DaemonSet } from "@drover/api/apps/v1";
import { isNotFound, newControllerRef, objectKeyOf } from "@drover/machinery";
import { slowStart } from "@drover/patterns";
import type { Expectations } from "@drover/patterns";
import { createPod, deletePod, isNamespaceTerminating } from "../shared/pod-control.ts";
import type { PodControl } from "../shared/pod-control.ts";
import { daemonTemplate, templateForNode } from "./daemon-pod.ts";
import type { DaemonSetView } from "./daemon-set-view.ts";
import type { PodChanges } from "./pod-changes.ts";

export interface PlacePodsOptions {
  readonly control: PodControl;
  readonly expectations: Expectations;
  /** How many pods are created, and how many deleted, at most; the rest waits until these have been seen. */
  readonly burst: number;
  /** The revision of the pods that are created. */
  readonly hash: string;
}

/** What went wrong; the first of several. Absent when nothing did. */
export interface PlaceOutcome {
  readonly error?: unknown;
}

/**
 * Guarantees: what is expected is set before the first request, and lowered for each that failed or was not made. Never
 * rejects for a refusal of the server.
 */
export async function placePods(daemonSet: DaemonSetView, changes: PodChanges, options: PlacePodsOptions): Promise<PlaceOutcome> {
  const { expectations, burst } = options;
  const [nodes, deletions] = [changes.nodes.slice(0, burst), changes.deletions.slice(0, burst)];
  if (nodes.length === 0 && deletions.length === 0) return {};
  expectations.expectBoth(objectKeyOf(daemonSet), nodes.length, deletions.map(objectKeyOf));
  const created = await createPods(daemonSet, nodes, options);
  const deleted = await deletePods(daemonSet, deletions, options);
  return "error" in created ? created : deleted;
}

async function createPods(
  daemonSet: DaemonSetView,
  nodes: readonly string[],
  { expectations, control, hash }: PlacePodsOptions,
): Promise<PlaceOutcome> {
  const controllerRef = newControllerRef(daemonSet, DaemonSet);
  const template = daemonTemplate(daemonSet, hash);
  const { successes, ...outcome } = await slowStart(nodes.length, async (index) => {
    try {
      await createPod(templateForNode(template, nodes[index] ?? ""), daemonSet, controllerRef, control);
    } catch (error) {
      // Every further one would fail as well, and the DaemonSet is about to go.
      if (!isNamespaceTerminating(error)) throw error;
    }
  });
  for (let skipped = nodes.length - successes; skipped > 0; skipped--) expectations.creationObserved(objectKeyOf(daemonSet));
  return outcome;
}

async function deletePods(
  daemonSet: DaemonSetView,
  pods: PodChanges["deletions"],
  { expectations, control }: PlacePodsOptions,
): Promise<PlaceOutcome> {
  const results = await Promise.all(
    pods.map(async (pod): Promise<PlaceOutcome> => {
      try {
        await deletePod(pod.metadata.name ?? "", daemonSet, control);
        return {};
      } catch (error) {
        expectations.deletionObserved(objectKeyOf(daemonSet), objectKeyOf(pod));
        return isNotFound(error) ? {} : { error };
      }
    }),
  );
  return results.find((result) => "error" in result) ?? {};
}
