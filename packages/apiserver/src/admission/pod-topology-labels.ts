/** PodTopologyLabels: a pod gets the zone and the region of its node as labels, when it is bound or created with a node. */
import { Binding } from "@drover/api/core/v1";
import type { Node } from "@drover/api/core/v1";
import { getOwn } from "@drover/machinery";
import type { DeepReadonly, KubeObject } from "@drover/machinery";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import { typedObject } from "../typed-object.ts";
import type { AdmissionPlugin } from "./admission.ts";
import { mergeLabels } from "./label-map.ts";
import { createdPod } from "./pod-write.ts";

const copied: readonly string[] = ["topology.kubernetes.io/zone", "topology.kubernetes.io/region"];

/** `nodes` is the resource of nodes. */
export function podTopologyLabels(objects: ObjectStore, nodes: Resource): AdmissionPlugin {
  const label = async ({ metadata }: KubeObject, nodeName: string): Promise<void> => {
    const { stored } = await objects.store.get(`${nodes.storagePrefix}${nodeName}`);
    if (stored === undefined) return;
    const { labels = {} } = (objects.views(nodes).shared(stored) as unknown as DeepReadonly<Node>).metadata;
    const found = copied.flatMap((key) => {
      const value = getOwn(labels, key);
      return value === undefined ? [] : [[key, value] as const];
    });
    if (found.length > 0) metadata.labels = mergeLabels(metadata.labels ?? {}, Object.fromEntries(found));
  };
  return {
    name: "PodTopologyLabels",
    mutate: (request) => {
      const { operation, resource, subresource, object } = request;
      if (resource.kind.plural !== "pods" || resource.kind.group !== "" || operation !== "CREATE" || object === undefined) return undefined;
      if (subresource === "binding") {
        const binding = typedObject(Binding, object);
        const { kind = "", name = "" } = binding.target;
        return kind === "Node" ? label(binding, name) : undefined;
      }
      const found = createdPod(request);
      const nodeName = found?.spec.nodeName ?? "";
      return found === undefined || nodeName === "" ? undefined : label(found.pod, nodeName);
    },
  };
}
