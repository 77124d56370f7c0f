/** Nodes that are lost, tainted, cordoned and drained. */
import { Deployment } from "@drover/api/apps/v1";
import { Node, Pod } from "@drover/api/core/v1";
import { addNode, create, evict, nodeOf, patch, remove, scene, sceneLabel, step, stopNode, taint, until } from "../scene.ts";
import type { Condition, Scene, SceneView } from "../scene.ts";
import { all, counts, deployment, isReady, pod, podsReady, rolledOut, template } from "../scene-objects.ts";

const tolerations = [{ key: sceneLabel, operator: "Exists" }] as const;
/** Pods of the scene's own nodes, which leave a lost node after a second. */
const here = {
  nodeSelector: { [sceneLabel]: "$namespace" },
  tolerations: [
    ...tolerations,
    ...["unreachable", "not-ready"].map((key) => ({
      key: `node.kubernetes.io/${key}`,
      operator: "Exists" as const,
      effect: "NoExecute" as const,
      tolerationSeconds: 1,
    })),
  ],
};
const node =
  (name: string) =>
  (view: SceneView): readonly string[] => [nodeOf(view.namespace, name)];
const on = (view: SceneView, name: string) =>
  view
    .list(Pod)
    .filter(({ spec, metadata }) => spec?.nodeName === nodeOf(view.namespace, name) && metadata.deletionTimestamp === undefined);
const podsOn =
  (name: string) =>
  (view: SceneView): readonly string[] =>
    on(view, name).map(({ metadata }) => metadata.name ?? "");
const nodesReady = (count: number): Condition =>
  counts(
    Node,
    count,
    ({ status, spec }) =>
      status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") === true && (spec?.taints ?? []).length === 1,
    "are ready",
  );
const two = step("nodes", [addNode("a"), addNode("b")], nodesReady(2));
const one = step("node", [addNode("a")], nodesReady(1));
const web = step(
  "pods",
  [create(Deployment, deployment({ replicas: 4, strategy: { rollingUpdate: { maxUnavailable: 2 } }, template: template({ spec: here }) }))],
  rolledOut(),
);
const leftTo = (name: string, count: number): Condition =>
  until(
    `${count} ready on ${name}`,
    (view) => on(view, name).filter((found) => isReady(found)).length === count && on(view, name).length === count,
  );
const lonely = (name: string, more: object = {}) => create(Pod, pod(name, { spec: { ...here, ...more } }));
const lost: Condition = until("it is tainted", (view) =>
  view
    .list(Node)
    .some(
      ({ spec }) => spec?.taints?.some(({ key, effect }) => key === "node.kubernetes.io/unreachable" && effect === "NoExecute") === true,
    ),
);

export const nodes: readonly Scene[] = [
  scene(
    "a node that is lost and comes back",
    two,
    web,
    step("lost", [stopNode("a")], all(lost, leftTo("b", 4))),
    step("back", [addNode("a")], all(nodesReady(2), counts(Pod, 4))),
  ),
  scene(
    "a node that is cordoned",
    two,
    step(
      "cordoned",
      [patch(Node, node("a"), { spec: { unschedulable: true } })],
      until("tainted", (view) => view.list(Node).some(({ spec }) => spec?.taints?.length === 2)),
    ),
    web,
    step("uncordoned", [patch(Node, node("a"), { spec: { unschedulable: null } })], nodesReady(2)),
  ),
  scene(
    "a node that is drained",
    two,
    web,
    step(
      "cordoned",
      [patch(Node, node("a"), { spec: { unschedulable: true } })],
      until("tainted", (view) => view.list(Node).some(({ spec }) => spec?.taints?.length === 2)),
    ),
    step("drained", [evict(podsOn("a"))], all(leftTo("b", 4), rolledOut(), counts(Pod, 4))),
  ),
  scene(
    "pods that no node takes",
    one,
    step(
      "cordoned",
      [patch(Node, node("a"), { spec: { unschedulable: true } })],
      until("tainted", (view) => view.list(Node).some(({ spec }) => spec?.taints?.length === 2)),
    ),
    step(
      "pod",
      [lonely("a")],
      until("refused", (view) => view.get(Pod, "a")?.status?.conditions?.some(({ reason }) => reason === "Unschedulable") === true),
    ),
    step("uncordoned", [patch(Node, node("a"), { spec: { unschedulable: null } })], podsReady(1)),
  ),
  scene(
    "a taint that drives pods away",
    one,
    step(
      "pods",
      [
        lonely("stays", { tolerations: [{ operator: "Exists" }] }),
        lonely("goes"),
        lonely("waits", {
          tolerations: [...tolerations, { key: "example.com/out", operator: "Exists", effect: "NoExecute", tolerationSeconds: 3 }],
        }),
      ],
      podsReady(3),
    ),
    step("tainted", [taint("a", { key: "example.com/out", effect: "NoExecute" })], counts(Pod, 1)),
  ),
  scene(
    "a taint that is taken back in time",
    one,
    step(
      "pods",
      [
        lonely("waits", {
          tolerations: [...tolerations, { key: "example.com/out", operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 }],
        }),
      ],
      podsReady(1),
    ),
    step("tainted", [taint("a", { key: "example.com/out", effect: "NoExecute" })], podsReady(1)),
    step("taken back", [taint("a")], nodesReady(1)),
  ),
  scene("a node that is deleted", two, web, step("deleted", [remove(Node, node("a"))], all(leftTo("b", 4), counts(Pod, 4)))),
];
