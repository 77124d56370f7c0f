/** At the end: no object is terminating, every object's namespace and owner exist, and pods without an owner are intended. */
import type { Intentions } from "./play-step.ts";
import { controllerUid } from "./world.ts";
import type { World } from "./world.ts";

const tracking = "batch.kubernetes.io/job-tracking";

export function ownershipProblems(world: World, { orphanedOwners, releasedPods }: Intentions): readonly string[] {
  const problems: string[] = [];
  const everything = [...world.everything()];
  const uids = new Map(everything.map(({ object, key, resource }) => [object.metadata.uid ?? "", { key, resource }]));
  const namespaces = new Set(world.all("namespaces").map(({ metadata }) => metadata.name));
  for (const {
    resource,
    key,
    object: { metadata, ...rest },
  } of everything) {
    const what = `${resource}/${key}`;
    if (metadata.deletionTimestamp !== undefined)
      problems.push(`${what} is still on its way out; finalizers: ${metadata.finalizers?.join() ?? "none"}`);
    if (metadata.namespace !== undefined && !namespaces.has(metadata.namespace))
      problems.push(`${what} is in a namespace that is not there`);
    for (const { kind, name, uid } of metadata.ownerReferences ?? [])
      if (!uids.has(uid)) problems.push(`${what} has an owner that is not there: ${kind} ${name} ${uid}`);
    const { status } = rest as { readonly status?: { readonly observedGeneration?: number } };
    if (withObservedGeneration.has(resource) && status?.observedGeneration !== metadata.generation)
      problems.push(`${what} is at generation ${metadata.generation ?? "none"}, and ${status?.observedGeneration ?? "none"} was observed`);
  }
  for (const pod of world.all("pods")) {
    const { name = "", namespace = "", uid = "", finalizers = [] } = pod.metadata;
    const owner = controllerUid(pod);
    if (owner === undefined && !releasedPods.has(uid) && !wasOrphaned(world, uid, orphanedOwners))
      problems.push(`pods/${namespace}/${name} has no owner, which no step of the test caused`);
    if (finalizers.includes(tracking)) problems.push(`pods/${namespace}/${name} is still tracked by a Job`);
  }
  return problems;
}

const withObservedGeneration: ReadonlySet<string> = new Set(["deployments", "replicasets", "statefulsets", "daemonsets"]);

function wasOrphaned(world: World, uid: string, orphanedOwners: ReadonlySet<string>): boolean {
  return world.formerOwners(uid).some((owner) => orphanedOwners.has(owner));
}
