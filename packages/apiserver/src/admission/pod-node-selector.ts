/** PodNodeSelector: pods get the node selector in an annotation of their namespace. Off by default. */
import type { Namespace } from "@drover/api/core/v1";
import { getOwn, newNotFound } from "@drover/machinery";
import type { DeepReadonly, Labels } from "@drover/machinery";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import { StatusError } from "../status-error.ts";
import type { AdmissionPlugin, AdmissionRequest } from "./admission.ts";
import { labelsConflict, mergeLabels, parseLabelMap } from "./label-map.ts";
import { createdPod } from "./pod-write.ts";
import { refusal } from "./refusal.ts";

const annotation = "scheduler.alpha.kubernetes.io/node-selector";

/** `namespaces` is the resource of namespaces. */
export function podNodeSelector(objects: ObjectStore, namespaces: Resource): AdmissionPlugin {
  const selectorOf = async ({ namespace }: AdmissionRequest): Promise<Labels> =>
    parseLabelMap(getOwn((await namespaceAnnotations(objects, namespaces, namespace)) ?? {}, annotation) ?? "");
  const refuseConflict = (request: AdmissionRequest, wanted: Labels, own: Labels): void => {
    if (labelsConflict(wanted, own)) throw refusal(request, "pod node label selector conflicts with its namespace node label selector");
  };
  return {
    name: "PodNodeSelector",
    mutate: async (request) => {
      const spec = createdPod(request)?.spec;
      if (spec === undefined) return;
      const wanted = await selectorOf(request);
      const own = spec.nodeSelector ?? {};
      refuseConflict(request, wanted, own);
      const merged = mergeLabels(wanted, own);
      if (Object.keys(merged).length > 0) spec.nodeSelector = merged;
    },
    validate: async (request) => {
      const spec = createdPod(request)?.spec;
      if (spec !== undefined) refuseConflict(request, await selectorOf(request), spec.nodeSelector ?? {});
    },
  };
}

/** Returns the annotations of a namespace. Throws a 404 for a missing one. */
export async function namespaceAnnotations(
  objects: ObjectStore,
  namespaces: Resource,
  name: string,
): Promise<DeepReadonly<Namespace>["metadata"]["annotations"]> {
  const { stored } = await objects.store.get(`${namespaces.storagePrefix}${name}`);
  if (stored === undefined) throw new StatusError(newNotFound({ group: "", resource: "namespaces" }, name));
  return (objects.views(namespaces).shared(stored) as unknown as DeepReadonly<Namespace>).metadata.annotations;
}
