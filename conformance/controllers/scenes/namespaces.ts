/** Namespaces that are deleted with their content. */
import { Deployment } from "@drover/api/apps/v1";
import { ConfigMap, Namespace, Pod, Service } from "@drover/api/core/v1";
import { create, patch, remove, scene, step, until } from "../scene.ts";
import type { Scene, SceneView } from "../scene.ts";
import { all, deployment, gone, pod, podsReady, rolledOut, service } from "../scene-objects.ts";

const itself = (view: SceneView): readonly string[] => [view.namespace];
const held = { finalizers: ["drover.dev/held"] };
const released = { metadata: { "$deleteFromPrimitiveList/finalizers": ["drover.dev/held"] } };
const remaining = until(
  "it says what remains",
  (view) =>
    view
      .get(Namespace, view.namespace)
      ?.status?.conditions?.some(({ type, status }) => type === "NamespaceFinalizersRemaining" && status === "True") === true,
);

export const namespaces: readonly Scene[] = [
  scene("an empty namespace", step("deleted", [remove(Namespace, itself)], gone(Namespace))),
  scene(
    "a namespace with content",
    step(
      "create",
      [create(Deployment, deployment()), create(Service, service()), create(ConfigMap, { metadata: { name: "a" } })],
      rolledOut(),
    ),
    step("deleted", [remove(Namespace, itself)], all(gone(Namespace), gone(Deployment), gone(Pod))),
  ),
  scene(
    "a namespace with a held object",
    step(
      "create",
      [create(ConfigMap, { metadata: { name: "a", ...held } }), create(ConfigMap, { metadata: { name: "b" } })],
      until("both", (view) => view.list(ConfigMap).length === 2),
    ),
    step("deleted", [remove(Namespace, itself)], remaining),
    step("let go", [patch(ConfigMap, "a", released)], gone(Namespace)),
  ),
  scene(
    "a namespace with pods that take their time",
    step("create", [create(Pod, pod("a", { conduct: { "stop-after": "3s" } }))], podsReady(1)),
    step("deleted", [remove(Namespace, itself)], gone(Namespace)),
  ),
];
