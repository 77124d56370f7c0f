/** Reads the objects that NodeRestriction asks for. */
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from "@drover/api/core/v1";
import type { CSIDriver } from "@drover/api/storage/v1";
import type { DeepReadonly } from "@drover/machinery";
import { keyOf } from "../../registry/object-store.ts";
import type { ObjectStore } from "../../registry/object-store.ts";
import type { Resource } from "../../registry/resource.ts";
import type { NodeRestrictionServices } from "./node-restriction.ts";

/** `resourceOf` returns a built-in resource of version v1. */
export function storedReaders(
  objects: ObjectStore,
  resourceOf: (group: string, plural: string) => Resource,
): Omit<NodeRestrictionServices, "authorizer"> {
  const read = async <T>(resource: Resource, namespace: string, name: string): Promise<DeepReadonly<T> | undefined> => {
    const { stored } = await objects.store.get(keyOf(resource, namespace, name));
    return stored === undefined ? undefined : (objects.views(resource).shared(stored) as unknown as DeepReadonly<T>);
  };
  const [pods, nodes] = [resourceOf("", "pods"), resourceOf("", "nodes")];
  const [claims, volumes] = [resourceOf("", "persistentvolumeclaims"), resourceOf("", "persistentvolumes")];
  const drivers = resourceOf("storage.k8s.io", "csidrivers");
  return {
    pod: (namespace, name) => read<Pod>(pods, namespace, name),
    node: (name) => read<Node>(nodes, "", name),
    claim: (namespace, name) => read<PersistentVolumeClaim>(claims, namespace, name),
    volume: (name) => read<PersistentVolume>(volumes, "", name),
    driver: (name) => read<CSIDriver>(drivers, "", name),
  };
}
