/**
 * Creates, corrects and deletes the pods of a StatefulSet, with their claims, and records events on the set.
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

/** Creates the pod once its claims exist. Does nothing while a claim still belongs to the earlier pod; its deletion triggers a new sync. */
export async function createStatefulPod(run: StatefulSetRun, set: StatefulSetView, pod: PodView): Promise<void> {
  if (isWaitingForClaims(run, set, pod)) return;
  const created = await telling(run, "Create", set, pod, async () => {
    await createClaims(run, set, pod);
    return await run.client.create(Pod, pod, { namespace: pod.metadata.namespace ?? "", signal: run.signal });
  });
  tellPod(run, "Create", set, created, {});
  await telling(run, "Update", set, created, () => fixClaimOwners(run, set, created));
}

/** Creates missing claims of a pod that waits for them. */
export async function fillClaims(run: StatefulSetRun, set: StatefulSetView, pod: PodView): Promise<void> {
  await createClaims(run, set, pod);
  await telling(run, "Update", set, pod, () => fixClaimOwners(run, set, pod));
}

/** Corrects the pod's labels and volumes, and the owners of its claims. Reads a pod that changed meanwhile again. */
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

/** Deletes this very pod: a later pod of the same name stays, and an absent pod is a success. */
export async function removeStatefulPod(run: StatefulSetRun, set: StatefulSetView, pod: PodView): Promise<void> {
  const { name = "", namespace = "", uid = "" } = pod.metadata;
  await telling(run, "Delete", set, pod, async () => {
    await run.client.delete(Pod, name, { namespace, preconditions: { uid }, signal: run.signal }).catch((error: unknown) => {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    });
  });
  tellPod(run, "Delete", set, pod, {});
}

/** AlreadyExists is not recorded: the cache has not shown the pod yet. */
async function telling<T>(run: StatefulSetRun, verb: PodVerb, set: StatefulSetView, pod: PodView, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (verb !== "Create" || !isAlreadyExists(error)) tellPod(run, verb, set, pod, { error });
    throw error;
  }
}
