/** Pods that are adopted and released, and dependents of deleted owners. */
import { Deployment, ReplicaSet } from "@drover/api/apps/v1";
import { ConfigMap, Pod } from "@drover/api/core/v1";
import type { OwnerReference } from "@drover/machinery";
import { create, patch, remove, scene, step, until } from "../scene.ts";
import type { Patch, Scene, SceneView } from "../scene.ts";
import {
  all,
  counts,
  deployment,
  gone,
  image,
  pod,
  podsReady,
  replicaSet,
  rest,
  rolledOut,
  setReady,
  somePods,
  template,
} from "../scene-objects.ts";

const held = { metadata: { finalizers: ["drover.dev/held"] } } as const;
const released: Patch = { metadata: { "$deleteFromPrimitiveList/finalizers": ["drover.dev/held"] } };
const heldSet = { ...replicaSet(), metadata: { name: "web", finalizers: [...held.metadata.finalizers] } };
const config = (name: string) => create(ConfigMap, { metadata: { name }, data: { name } });
const uidOf = (view: SceneView, name: string): string => view.get(ConfigMap, name)?.metadata.uid ?? "";
/** Adds owners to a ConfigMap. */
const belongs = (name: string, owners: readonly string[], more: Partial<OwnerReference> = {}) =>
  patch(ConfigMap, name, (view) => ({
    metadata: {
      ownerReferences: owners.map((owner) => ({ apiVersion: "v1", kind: "ConfigMap", name: owner, uid: uidOf(view, owner), ...more })),
    },
  }));
const stranger = { apiVersion: "v1", kind: "ConfigMap", name: "nobody", uid: "6f1c2a52-0000-4000-8000-000000000000" } as const;
const configs = (...names: readonly string[]) =>
  until(
    `ConfigMaps ${names.join(", ")}`,
    (view) =>
      JSON.stringify(
        view
          .list(ConfigMap)
          .map(({ metadata }) => metadata.name ?? "")
          .toSorted(),
      ) === JSON.stringify(names),
  );
const isOwned = ({ metadata }: { readonly metadata: { readonly ownerReferences?: readonly unknown[] } }): boolean =>
  (metadata.ownerReferences ?? []).length > 0;

export const ownership: readonly Scene[] = [
  scene(
    "pods adopted by a ReplicaSet",
    step("pods", [create(Pod, pod("a")), create(Pod, pod("b"))], podsReady(2)),
    step("set", [create(ReplicaSet, replicaSet())], all(setReady(), podsReady(3))),
  ),
  scene(
    "more pods than wanted",
    step(
      "pods",
      ["a", "b", "c"].map(() => create(Pod, pod("", {}, { generateName: "loose-" }))),
      podsReady(3),
    ),
    step("set", [create(ReplicaSet, replicaSet({ replicas: 1 }))], all(setReady(), counts(Pod, 1))),
  ),
  scene(
    "a pod released by its label",
    step("set", [create(ReplicaSet, replicaSet())], setReady()),
    step("released", [patch(Pod, somePods(1), { metadata: { labels: { app: "other" } } })], all(podsReady(4), setReady())),
    step(
      "adopted again",
      [
        patch(
          Pod,
          somePods(1, ({ metadata }) => metadata.labels?.["app"] === "other"),
          { metadata: { labels: { app: "web" } } },
        ),
      ],
      all(setReady(), counts(Pod, 3)),
    ),
  ),
  scene(
    "a pod of another controller",
    step(
      "sets",
      [create(ReplicaSet, replicaSet({ replicas: 1 })), create(ReplicaSet, replicaSet({ replicas: 1 }, "more"))],
      all(setReady(), setReady("more"), counts(Pod, 2)),
    ),
  ),
  scene(
    "a set scaled",
    step("set", [create(ReplicaSet, replicaSet({ replicas: 1 }))], setReady()),
    step("up", [patch(ReplicaSet, "web", { spec: { replicas: 5 } })], setReady()),
    step("down", [patch(ReplicaSet, "web", { spec: { replicas: 2 } })], all(setReady(), counts(Pod, 2))),
  ),
  scene(
    "the least useful pods go first",
    step("set", [create(ReplicaSet, replicaSet())], setReady()),
    step("one is not ready", [patch(Pod, somePods(1), { metadata: { annotations: { "drover.dev/ready": "false" } } })], podsReady(2)),
    step("down", [patch(ReplicaSet, "web", { spec: { replicas: 2 } })], all(setReady(), counts(Pod, 2))),
  ),
  scene(
    "deletion costs",
    step("set", [create(ReplicaSet, replicaSet())], setReady()),
    step(
      "one is dear",
      [patch(Pod, somePods(1), { metadata: { annotations: { "controller.kubernetes.io/pod-deletion-cost": "100" } } })],
      rest,
    ),
    step("down", [patch(ReplicaSet, "web", { spec: { replicas: 1 } })], all(setReady(), counts(Pod, 1))),
  ),
  scene(
    "pods that are deleted come again",
    step("set", [create(ReplicaSet, replicaSet())], setReady()),
    step("deleted", [remove(Pod, somePods(2))], all(setReady(), podsReady(3), counts(Pod, 3))),
  ),
  scene(
    "pods that have failed are replaced",
    step("set", [create(ReplicaSet, replicaSet({ replicas: 2 }))], setReady()),
    step(
      "one fails",
      [{ do: "patch", kind: Pod, target: somePods(1), body: { status: { phase: "Failed" } }, subresource: "status" }],
      podsReady(3),
    ),
  ),
  scene(
    "a pod that takes its time to go",
    step("set", [create(ReplicaSet, replicaSet({ replicas: 2, template: template({ conduct: { "stop-after": "4s" } }) }))], setReady()),
    step("down", [patch(ReplicaSet, "web", { spec: { replicas: 1 } })], counts(Pod, 1)),
  ),
  scene(
    "a set orphans its pods",
    step("set", [create(ReplicaSet, replicaSet())], setReady()),
    step("orphaned", [remove(ReplicaSet, "web", "Orphan")], all(gone(ReplicaSet), counts(Pod, 0, isOwned), counts(Pod, 3))),
    step("adopted", [create(ReplicaSet, replicaSet())], all(setReady(), counts(Pod, 3, isOwned))),
  ),
  scene(
    "a held set orphans its pods",
    step("set", [create(ReplicaSet, heldSet)], setReady()),
    step(
      "orphaned",
      [remove(ReplicaSet, "web", "Orphan")],
      all(
        counts(Pod, 0, isOwned),
        counts(ReplicaSet, 1, ({ status }) => status?.replicas === 0),
      ),
    ),
    step("let go", [patch(ReplicaSet, "web", released)], gone(ReplicaSet)),
  ),
  scene(
    "a Deployment orphans its sets",
    step("create", [create(Deployment, deployment())], rolledOut()),
    step("orphaned", [remove(Deployment, "web", "Orphan")], all(gone(Deployment), counts(ReplicaSet, 0, isOwned), counts(Pod, 3))),
    step("adopted", [create(Deployment, deployment())], all(rolledOut(), counts(ReplicaSet, 1, isOwned))),
    step("new image", [patch(Deployment, "web", image("web:2"))], rolledOut()),
  ),
  scene(
    "deleted in the background",
    step("create", [create(Deployment, deployment())], rolledOut()),
    step("deleted", [remove(Deployment, "web", "Background")], all(gone(Deployment), gone(ReplicaSet), gone(Pod))),
  ),
  scene(
    "deleted in the foreground",
    step("create", [create(Deployment, deployment())], rolledOut()),
    step("deleted", [remove(Deployment, "web", "Foreground")], all(gone(Deployment), gone(ReplicaSet), gone(Pod))),
  ),
  scene(
    "a finalizer holds a cascade",
    step("create", [create(Deployment, deployment({ replicas: 2 }))], rolledOut()),
    step("held", [patch(Pod, somePods(1), held)], rest),
    step("deleted", [remove(Deployment, "web", "Foreground")], counts(Pod, 1)),
    step(
      "let go",
      [patch(Pod, (view) => view.list(Pod).map(({ metadata }) => metadata.name ?? ""), released)],
      all(gone(Deployment), gone(ReplicaSet), gone(Pod)),
    ),
  ),
  scene(
    "a finalizer holds an owner",
    step("set", [create(ReplicaSet, heldSet)], setReady()),
    step("deleted", [remove(ReplicaSet, "web", "Background")], rest),
    step("let go", [patch(ReplicaSet, "web", released)], all(gone(ReplicaSet), gone(Pod))),
  ),
  scene(
    "an owner that is not there",
    step("create", [create(ConfigMap, { metadata: { name: "orphan", ownerReferences: [stranger] } }), config("other")], configs("other")),
  ),
  scene(
    "one of two owners goes",
    step("create", [config("a"), config("b"), config("c")], configs("a", "b", "c")),
    step("owned", [belongs("c", ["a", "b"])], rest),
    step(
      "one goes",
      [remove(ConfigMap, "a")],
      until("one owner", (view) => view.get(ConfigMap, "c")?.metadata.ownerReferences?.length === 1),
    ),
    step("the other goes", [remove(ConfigMap, "b")], configs()),
  ),
  scene(
    "owners in a chain",
    step("create", [config("a"), config("b"), config("c")], configs("a", "b", "c")),
    step("owned", [belongs("b", ["a"]), belongs("c", ["b"])], rest),
    step("deleted", [remove(ConfigMap, "a")], configs()),
  ),
  scene(
    "a blocking dependent",
    step("create", [config("a"), config("b"), { do: "patch", kind: ConfigMap, target: "b", body: held }], configs("a", "b")),
    step("owned", [belongs("b", ["a"], { blockOwnerDeletion: true })], rest),
    step("deleted", [remove(ConfigMap, "a", "Foreground")], rest),
    step("let go", [patch(ConfigMap, "b", released)], configs()),
  ),
  scene(
    "owners in a circle",
    step("create", [config("a"), config("b")], configs("a", "b")),
    step("owned", [belongs("a", ["b"], { blockOwnerDeletion: true }), belongs("b", ["a"], { blockOwnerDeletion: true })], rest),
    step("deleted", [remove(ConfigMap, "a", "Foreground")], configs()),
  ),
];
