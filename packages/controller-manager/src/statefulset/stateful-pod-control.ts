/**
 * The pods of a StatefulSet on the server, each with its claims; the set is told of all of it by events.
 *
 *     step → createStatefulPod, conformStatefulPod, removeStatefulPod → SuccessfulCreate, FailedUpdate, …
 */
import { Pod } from "@drover/api/core/v1";
import { retryOnConflict } from "@drover/client";
import { defaultBackoff, isAlreadyExists, isConflict, isNotFound } from "@drover/machinery";
import type { PodView } from "../shared/pod-state.ts";
import { areClaimsRight, createClaims, fixClaimOwners, isWaitingForClaims } from "./claim-control.ts";
import { hasStorage, withStorage } from "./pod-claims.ts";
import { hasIdentity, ordinalOf, withIdentity } from "./pod-identity.ts";
import { tellPod } from "./stateful-set-run.ts";
import type { PodVerb, StatefulSetRun } from "./stateful-set-run.ts";
import type { StatefulSetView } from "./stateful-set-view.ts";

/**
 * Creates the pod when its claims are there. Nothing happens while one of them still goes with the pod from before;
 * that it is gone brings the set back.
 */
export async function createStatefulPod(run: StatefulSetRun, set: StatefulSetView, pod: PodView): Promise<void> {
  if (isWaitingForClaims(run, set, pod)) return;
  const created = await telling(run, "Create", set, pod, async () => {
    await createClaims(run, set, pod);
    return await run.client.create(Pod, pod, { namespace: pod.metadata.namespace ?? "", signal: run.signal });
  });
  tellPod(run, "Create", set, created, {});
  await telling(run, "Update", set, created, () => fixClaimOwners(run, set, created));
}

/** Creates claims that are missing of a pod that waits for them. */
export async function fillClaims(run: StatefulSetRun, set: StatefulSetView, pod: PodView): Promise<void> {
  await createClaims(run, set, pod);
  await telling(run, "Update", set, pod, () => fixClaimOwners(run, set, pod));
}

/** Puts the pod's name labels and volumes right, and the owners of its claims. A pod that was changed meanwhile is read anew. */
export async function conformStatefulPod(run: StatefulSetRun, set: StatefulSetView, seen: PodView): Promise<void> {
  const { name = "", namespace = "", uid } = seen.metadata;
  let pod = seen;
  let isStale = false;
  let hasChanged = false;
  await telling(run, "Update", set, seen, () =>
    retryOnConflict({ clock: run.client.clock, random: run.random, signal: run.signal, backoff: defaultBackoff }, async () => {
      if (isStale) pod = await run.client.get(Pod, name, { namespace, signal: run.signal });
      isStale = true;
      if (pod.metadata.uid !== uid) return;
      if (!areClaimsRight(run, set, pod)) {
        await fixClaimOwners(run, set, pod);
        hasChanged = true;
      }
      const ordinal = ordinalOf(pod);
      if (ordinal === undefined || (hasIdentity(set, pod) && hasStorage(set, pod))) return;
      if (!hasStorage(set, pod)) await createClaims(run, set, pod);
      await run.client.update(Pod, withStorage(set, withIdentity(set, pod, ordinal), ordinal), { namespace, signal: run.signal });
      hasChanged = true;
    }),
  );
  if (hasChanged) tellPod(run, "Update", set, seen, {});
}

/**
 * Deletes this very pod: one of the same name that has taken its place since the cache was told stays, and that the
 * other is gone is what was
 * wanted.
 */
export async function removeStatefulPod(run: StatefulSetRun, set: StatefulSetView, pod: PodView): Promise<void> {
  const { name = "", namespace = "", uid = "" } = pod.metadata;
  await telling(run, "Delete", set, pod, async () => {
    await run.client.delete(Pod, name, { namespace, preconditions: { uid }, signal: run.signal }).catch((error: unknown) => {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    });
  });
  tellPod(run, "Delete", set, pod, {});
}

/** That a pod is there already is no news: the cache has not shown it yet. */
async function telling<T>(run: StatefulSetRun, verb: PodVerb, set: StatefulSetView, pod: PodView, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (verb !== "Create" || !isAlreadyExists(error)) tellPod(run, verb, set, pod, { error });
    throw error;
  }
}
