/** DaemonSets: one pod on every node that fits. */
import { DaemonSet } from "@drover/api/apps/v1";
import { Node, Pod } from "@drover/api/core/v1";
import { addNode, create, nodeOf, patch, remove, scene, sceneLabel, step, taint, until } from "../scene.ts";
import type { Condition, Scene, SceneView } from "../scene.ts";
import { all, counts, gone, image, isReady, rest, template } from "../scene-objects.ts";

type Spec = NonNullable<DaemonSet["spec"]>;

const here = { nodeSelector: { [sceneLabel]: "$namespace" }, tolerations: [{ key: sceneLabel, operator: "Exists" as const }] };
const daemonSet = (spec: Partial<Spec> = {}, more: object = {}): DaemonSet => ({
  metadata: { name: "agent" },
  spec: {
    selector: { matchLabels: { app: "agent" } },
    template: template({ image: "agent:1", labels: { app: "agent" }, spec: { ...here, ...more } }),
    ...spec,
  },
});
const everywhere = (count: number): Condition =>
  until(`on ${count} nodes`, (view) => {
    const found = view.get(DaemonSet, "agent");
    const { status } = found ?? {};
    return (
      found !== undefined &&
      status?.observedGeneration === found.metadata.generation &&
      [
        status?.desiredNumberScheduled,
        status?.currentNumberScheduled,
        status?.numberReady,
        status?.numberAvailable,
        status?.updatedNumberScheduled,
      ].every((each) => (each ?? 0) === count) &&
      view.list(Pod).filter((pod) => isReady(pod)).length === count &&
      view.list(Pod).length === count
    );
  });
const node =
  (name: string) =>
  (view: SceneView): readonly string[] => [nodeOf(view.namespace, name)];
const threeNodes = ["a", "b", "c"].map((name) => addNode(name, { name }));
const nodesReady = (count: number): Condition =>
  counts(
    Node,
    count,
    ({ status, spec }) =>
      status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") === true && (spec?.taints ?? []).length === 1,
    "are ready",
  );
const start = (spec: Partial<Spec> = {}) => [
  step("nodes", threeNodes, nodesReady(3)),
  step("create", [create(DaemonSet, daemonSet(spec))], everywhere(3)),
];
const change = (name: string, body: object, condition: Condition) => step(name, [patch(DaemonSet, "agent", body)], condition);
const onlySome = { spec: { template: { spec: { nodeSelector: { name: "a" } } } } };

export const daemonSets: readonly Scene[] = [
  scene("a DaemonSet", ...start()),
  scene("a DaemonSet and a new node", ...start(), step("a node comes", [addNode("d", { name: "d" })], everywhere(4))),
  scene(
    "a DaemonSet and a node that goes",
    ...start(),
    step(
      "a node goes",
      [remove(Node, node("c"))],
      all(
        counts(Pod, 2),
        until("two are left", (view) => view.get(DaemonSet, "agent")?.status?.desiredNumberScheduled === 2),
      ),
    ),
  ),
  scene("a DaemonSet that is updated", ...start(), change("new image", image("agent:2"), everywhere(3))),
  scene(
    "a DaemonSet that is updated with surge",
    ...start({ updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } }),
    change("new image", image("agent:2"), everywhere(3)),
  ),
  scene(
    "a DaemonSet that is updated by hand",
    ...start({ updateStrategy: { type: "OnDelete" } }),
    change(
      "new image",
      image("agent:2"),
      until(
        "it was seen",
        (view) =>
          view.get(DaemonSet, "agent")?.status?.updatedNumberScheduled === undefined ||
          view.get(DaemonSet, "agent")?.status?.updatedNumberScheduled === 0,
      ),
    ),
    step(
      "one deleted",
      [
        remove(Pod, (view) =>
          view
            .list(Pod)
            .filter(({ spec }) => spec?.nodeName === nodeOf(view.namespace, "a"))
            .map(({ metadata }) => metadata.name ?? ""),
        ),
      ],
      until(
        "one is new",
        (view) =>
          view.get(DaemonSet, "agent")?.status?.updatedNumberScheduled === 1 && view.get(DaemonSet, "agent")?.status?.numberAvailable === 3,
      ),
    ),
  ),
  scene(
    "a DaemonSet that is rolled back",
    ...start(),
    change("new image", image("agent:2"), everywhere(3)),
    change("old image", image("agent:1"), everywhere(3)),
  ),
  scene("a DaemonSet on some nodes only", ...start(), change("only one", onlySome, everywhere(1))),
  scene(
    "a DaemonSet and a node that is tainted",
    ...start(),
    step(
      "tainted",
      [taint("b", { key: "example.com/keep-out", effect: "NoExecute" })],
      until("two are left", (view) => view.get(DaemonSet, "agent")?.status?.desiredNumberScheduled === 2 && view.list(Pod).length === 2),
    ),
  ),
  scene(
    "a DaemonSet and a node that takes no more",
    ...start(),
    step("tainted", [taint("b", { key: "example.com/full", effect: "NoSchedule" })], rest),
    change(
      "looked at again",
      { metadata: { annotations: { note: "look" } } },
      until("one is misplaced", (view) => view.get(DaemonSet, "agent")?.status?.numberMisscheduled === 1),
    ),
  ),
  scene(
    "a DaemonSet and a cordoned node",
    ...start(),
    step(
      "cordoned",
      [patch(Node, node("b"), { spec: { unschedulable: true } })],
      until("tainted", (view) =>
        view.list(Node).some(({ spec }) => spec?.taints?.some(({ key }) => key === "node.kubernetes.io/unschedulable") === true),
      ),
    ),
  ),
  scene(
    "a DaemonSet whose pods are deleted",
    ...start(),
    step("deleted", [remove(Pod, (view) => view.list(Pod).map(({ metadata }) => metadata.name ?? ""))], everywhere(3)),
  ),
  scene(
    "a DaemonSet that is deleted",
    ...start(),
    step("deleted", [remove(DaemonSet, "agent", "Foreground")], all(gone(DaemonSet), gone(Pod))),
  ),
];
