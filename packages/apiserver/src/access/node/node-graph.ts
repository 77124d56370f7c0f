/**
 * Which objects belong to a node: its pods, and what these refer to.
 *
 *     Pod, PersistentVolume, VolumeAttachment, ResourceSlice → NodeGraph → reaches(object, node)
 *
 * Edges lead towards the node: secret → pod → node, secret → volume → claim → pod → node.
 */
import type { PersistentVolume, Pod } from "@drover/api/core/v1";
import type { ResourceSlice } from "@drover/api/resource/v1";
import type { VolumeAttachment } from "@drover/api/storage/v1";
import type { DeepReadonly } from "@drover/machinery";
import { referencesOfPod, secretsOfPersistentVolume } from "./node-references.ts";

/** The kinds whose objects make edges. */
export type NodeGraphKind = "Pod" | "PersistentVolume" | "VolumeAttachment" | "ResourceSlice";

/** The kinds that a kubelet may read if they belong to its node. */
export type NodeVertexKind = NodeGraphKind | "Secret" | "ConfigMap" | "PersistentVolumeClaim" | "ServiceAccount" | "ResourceClaim";

/** An object in the graph; the namespace of cluster-scoped objects is "". */
export interface NodeVertex<K extends string = NodeVertexKind> {
  readonly kind: K;
  readonly namespace: string;
  readonly name: string;
}

/** The objects that make edges. */
type GraphObject = DeepReadonly<Pod | PersistentVolume | VolumeAttachment | ResourceSlice>;

type Edge = readonly [from: string, to: string];

const mirrorAnnotation = "kubernetes.io/config.mirror";

/** Guarantees: after `put` and `remove`, `reaches` follows from the objects alone, in whatever order they came. */
export class NodeGraph {
  /** Every edge has the object that makes it at one end, so no two objects make the same edge. */
  readonly #to = new Map<string, Set<string>>();
  readonly #made = new Map<string, readonly Edge[]>();

  put(at: NodeVertex<NodeGraphKind>, object: GraphObject): void {
    this.remove(at);
    const edges = edgesOf(at, object);
    if (edges.length === 0) return;
    this.#made.set(idOf(at), edges);
    for (const [from, to] of edges) {
      const known = this.#to.get(from);
      if (known === undefined) this.#to.set(from, new Set([to]));
      else known.add(to);
    }
  }

  remove(at: NodeVertex<NodeGraphKind>): void {
    const id = idOf(at);
    for (const [from, to] of this.#made.get(id) ?? []) {
      const known = this.#to.get(from);
      known?.delete(to);
      if (known?.size === 0) this.#to.delete(from);
    }
    this.#made.delete(id);
  }

  clear(): void {
    this.#to.clear();
    this.#made.clear();
  }

  /** Whether an object belongs to a node. */
  reaches(object: NodeVertex, node: string): boolean {
    const wanted = nodeId(node);
    const seen = new Set<string>();
    const open = [idOf(object)];
    for (let id = open.pop(); id !== undefined; id = open.pop())
      for (const next of this.#to.get(id) ?? []) {
        if (next === wanted) return true;
        if (seen.has(next)) continue;
        seen.add(next);
        open.push(next);
      }
    return false;
  }
}

const idOf = ({ kind, namespace, name }: NodeVertex): string => `${kind}/${namespace}/${name}`;
const nodeId = (name: string): string => `Node//${name}`;

function edgesOf(at: NodeVertex<NodeGraphKind>, object: GraphObject): readonly Edge[] {
  switch (at.kind) {
    case "Pod":
      return edgesOfPod(at, object as DeepReadonly<Pod>);
    case "PersistentVolume":
      return edgesOfVolume(at, object as DeepReadonly<PersistentVolume>);
    case "VolumeAttachment":
    case "ResourceSlice": {
      const { nodeName = "" } = (object as DeepReadonly<VolumeAttachment | ResourceSlice>).spec ?? {};
      return nodeName === "" ? [] : [[idOf(at), nodeId(nodeName)]];
    }
    default:
      return at.kind satisfies never;
  }
}

function edgesOfPod(at: NodeVertex<NodeGraphKind>, pod: DeepReadonly<Pod>): readonly Edge[] {
  const { nodeName = "", serviceAccountName = "" } = pod.spec ?? {};
  if (nodeName === "") return [];
  const own = idOf(at);
  const toNode: Edge = [own, nodeId(nodeName)];
  // A kubelet creates its mirror pods itself: they must not give it access to anything.
  if (Object.hasOwn(pod.metadata.annotations ?? {}, mirrorAnnotation)) return [toNode];
  const { secrets, configMaps, claims, resourceClaims } = referencesOfPod(pod);
  const toPod = (kind: NodeVertexKind, names: readonly string[]): readonly Edge[] =>
    [...new Set(names)].map((name) => [idOf({ kind, namespace: at.namespace, name }), own]);
  return [
    toNode,
    ...toPod("ServiceAccount", serviceAccountName === "" ? [] : [serviceAccountName]),
    ...toPod("Secret", secrets),
    ...toPod("ConfigMap", configMaps),
    ...toPod("PersistentVolumeClaim", claims),
    ...toPod("ResourceClaim", resourceClaims),
  ];
}

function edgesOfVolume(at: NodeVertex<NodeGraphKind>, volume: DeepReadonly<PersistentVolume>): readonly Edge[] {
  const { claimRef } = volume.spec ?? {};
  if (claimRef === undefined) return [];
  const { namespace = "", name = "" } = claimRef;
  const own = idOf(at);
  return [
    [own, idOf({ kind: "PersistentVolumeClaim", namespace, name })],
    ...secretsOfPersistentVolume(volume).map((secret): Edge => [idOf({ kind: "Secret", ...secret }), own]),
  ];
}
