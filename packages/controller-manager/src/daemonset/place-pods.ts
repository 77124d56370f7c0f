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
  /** Maximum pods to create and maximum to delete; the rest waits until these have been observed. */
  readonly burst: number;
  /** Revision of the created pods. */
  readonly hash: string;
}

/** The first error; absent on success. */
export interface PlaceOutcome {
  readonly error?: unknown;
}

/**
 * Creates and deletes pods. Guarantees: expectations are set before the first request and lowered for each request that failed or
 * was not sent. Never rejects for a refusal by the server.
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
      // Every further create would fail too, and the DaemonSet is about to be deleted.
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
