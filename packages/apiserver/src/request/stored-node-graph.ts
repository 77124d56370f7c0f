/**
 * The graph of nodes and their objects, from the store, current at every decision. Nothing is read until a kubelet asks for an object
 * that must belong to its node.
 *
 *     Store.list, Store.watch → StoredNodeGraph.current → NodeGraph → nodeAuthorizer
 */
import type { Pod } from "@drover/api/core/v1";
import type { GroupVersionResource } from "@drover/machinery";
import { NodeGraph } from "../access/node/node-graph.ts";
import type { NodeGraphKind } from "../access/node/node-graph.ts";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Registry } from "../registry/registry.ts";
import { FollowedObjects } from "../registry/followed-objects.ts";

const kinds: ReadonlyMap<NodeGraphKind, GroupVersionResource> = new Map([
  ["Pod", { group: "", version: "v1", resource: "pods" }],
  ["PersistentVolume", { group: "", version: "v1", resource: "persistentvolumes" }],
  ["VolumeAttachment", { group: "storage.k8s.io", version: "v1", resource: "volumeattachments" }],
  ["ResourceSlice", { group: "resource.k8s.io", version: "v1", resource: "resourceslices" }],
]);

/** Guarantees: `current` includes every write acknowledged before it was called, if the store delivers writes without a delay. */
export class StoredNodeGraph {
  readonly #graph = new NodeGraph();
  readonly #followed: FollowedObjects<NodeGraphKind>;

  constructor(objects: ObjectStore, registry: Pick<Registry, "find">) {
    this.#followed = new FollowedObjects({ objects, registry }, kinds, {
      put: (at, object) => this.#graph.put(at, object as unknown as Pod),
      remove: (at) => this.#graph.remove(at),
      clear: () => this.#graph.clear(),
    });
  }

  async current(): Promise<NodeGraph> {
    await this.#followed.catchUp();
    return this.#graph;
  }
}
