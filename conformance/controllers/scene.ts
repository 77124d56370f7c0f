/**
 * A scene: actions on a cluster, step by step, and a condition to wait for after each. Plain data, so that one player
 * can play it on any cluster.
 *
 *     scene("a rollout", step("create", [create(Deployment, …)], until("it is over", (view) => …)))  →  play.ts
 */
import { Node } from "@drover/api/core/v1";
import type { Taint } from "@drover/api/core/v1";
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";

/** The current state of the scene's namespace and nodes. */
export interface SceneView {
  readonly namespace: string;
  get<T extends KubeObject>(kind: Kind<T>, name: string): DeepReadonly<T> | undefined;
  list<T extends KubeObject>(kind: Kind<T>): readonly DeepReadonly<T>[];
}

/** One object by its name, or objects found at run time: names of pods are not known before. */
export type Target = string | ((view: SceneView) => readonly string[]);

export type Action =
  | { readonly do: "create"; readonly kind: Kind; readonly object: KubeObject | ((view: SceneView) => KubeObject) }
  | { readonly do: "patch"; readonly kind: Kind; readonly target: Target; readonly body: Patch; readonly subresource?: string }
  | { readonly do: "delete"; readonly kind: Kind; readonly target: Target; readonly propagation?: "Background" | "Foreground" | "Orphan" }
  | { readonly do: "evict"; readonly target: Target }
  /** A node of the scene's own, which pods of other scenes do not use. Its name is `nodeOf(view.namespace, name)`. */
  | { readonly do: "add-node"; readonly name: string; readonly labels: Readonly<Record<string, string>> }
  /** The node stops responding. */
  | { readonly do: "stop-node"; readonly name: string };

/** A strategic patch, or one computed from the current state. */
export type Patch = object | ((view: SceneView) => object);

export interface Condition {
  readonly what: string;
  readonly holds: (view: SceneView) => boolean;
}

export interface Step {
  readonly name: string;
  readonly actions: readonly Action[];
  readonly until: Condition;
}

export interface Scene {
  readonly name: string;
  readonly steps: readonly Step[];
}

export const scene = (name: string, ...steps: readonly Step[]): Scene => ({ name, steps });
export const step = (name: string, actions: readonly Action[], condition: Condition): Step => ({ name, actions, until: condition });
export const until = (what: string, holds: Condition["holds"]): Condition => ({ what, holds });

export const create = <T extends KubeObject>(
  kind: Kind<T>,
  object: DeepReadonly<NoInfer<T>> | ((view: SceneView) => DeepReadonly<NoInfer<T>>),
): Action => ({ do: "create", kind, object: object as KubeObject | ((view: SceneView) => KubeObject) });
export const patch = (kind: Kind, target: Target, body: Patch): Action => ({ do: "patch", kind, target, body });
export const patchStatus = (kind: Kind, target: Target, body: Patch): Action => ({
  do: "patch",
  kind,
  target,
  body,
  subresource: "status",
});
export const remove = (kind: Kind, target: Target, propagation?: "Background" | "Foreground" | "Orphan"): Action => ({
  do: "delete",
  kind,
  target,
  ...(propagation === undefined ? {} : { propagation }),
});
export const evict = (target: Target): Action => ({ do: "evict", target });
export const addNode = (name: string, labels: Readonly<Record<string, string>> = {}): Action => ({ do: "add-node", name, labels });
export const stopNode = (name: string): Action => ({ do: "stop-node", name });

/** Adds these taints to a node of the scene, beside the one that keeps other pods away. */
export const taint = (name: string, ...taints: readonly Taint[]): Action =>
  patch(
    Node,
    (view) => [nodeOf(view.namespace, name)],
    (view) => ({ spec: { taints: [sceneTaint(view.namespace), ...taints] } }),
  );

/** The label, and the key of the taint, of a scene's own nodes; the value is its namespace. */
export const sceneLabel = "drover.dev/scene";
export const sceneTaint = (namespace: string): Taint => ({ key: sceneLabel, value: namespace, effect: "NoSchedule" });
export const nodeOf = (namespace: string, name: string): string => `${namespace}-${name}`;
/** The namespace of the scene a node belongs to, from its name; the last part of the name has no dash. */
export const namespaceOfNode = (node: string): string => node.slice(0, Math.max(0, node.lastIndexOf("-")));
