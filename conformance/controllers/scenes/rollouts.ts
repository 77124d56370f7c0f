/** Deployments that roll out, are paused, roll back or get stuck. */
import { Deployment, ReplicaSet } from "@drover/api/apps/v1";
import { Pod } from "@drover/api/core/v1";
import { create, patch, scene, step, until } from "../scene.ts";
import type { Condition, Scene } from "../scene.ts";
import { all, counts, deployment, image, podsReady, rolledOut, template } from "../scene-objects.ts";

const start = (spec: Parameters<typeof deployment>[0] = {}) => step("create", [create(Deployment, deployment(spec))], rolledOut());
const change = (name: string, body: object, condition: Condition = rolledOut()) => step(name, [patch(Deployment, "web", body)], condition);
/** The sizes of ReplicaSets, smallest first. */
const sizes = (...wanted: readonly number[]): Condition =>
  until(
    `ReplicaSets of ${wanted.join(", ")}`,
    (view) =>
      JSON.stringify(
        view
          .list(ReplicaSet)
          .map(({ spec }) => spec?.replicas ?? 1)
          .toSorted((a, b) => a - b),
      ) === JSON.stringify(wanted),
  );
const progressing = (reason: string): Condition =>
  until(
    `Progressing says ${reason}`,
    (view) =>
      view.get(Deployment, "web")?.status?.conditions?.some((found) => found.type === "Progressing" && found.reason === reason) === true,
  );
const annotate = (annotations: Readonly<Record<string, string>>): object => ({ metadata: { annotations } });
const rolling = (maxSurge: number | string, maxUnavailable: number | string) =>
  ({ strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge, maxUnavailable } } }) as const;
const broken = {
  spec: {
    template: { metadata: { annotations: { "drover.dev/ready": "false" } }, spec: { containers: [{ name: "main", image: "broken:1" }] } },
  },
} as const;
const mended = {
  spec: { template: { metadata: { annotations: { "drover.dev/ready": null } }, spec: { containers: [{ name: "main", image: "web:3" }] } } },
} as const;

export const rollouts: readonly Scene[] = [
  scene("a rollout", start(), change("new image", image("web:2"))),
  scene("a rollout without surge", start(rolling(0, 1)), change("new image", image("web:2"))),
  scene("a rollout without unavailable", start(rolling(1, 0)), change("new image", image("web:2"))),
  scene("a rollout in percent", start({ replicas: 8, ...rolling("25%", "50%") }), change("new image", image("web:2"))),
  scene("Recreate", start({ strategy: { type: "Recreate" } }), change("new image", image("web:2"))),
  scene(
    "scaled up and down",
    start(),
    change("up", { spec: { replicas: 5 } }),
    change("down", { spec: { replicas: 1 } }),
    change("to nothing", { spec: { replicas: 0 } }),
    change("back", { spec: { replicas: 2 } }),
  ),
  scene(
    "scaled during a rollout",
    start({ replicas: 10, ...rolling(3, 2) }),
    change("broken image", broken, all(sizes(5, 8), podsReady(8))),
    change("up", { spec: { replicas: 15 } }, all(sizes(7, 11), podsReady(11))),
    change("mended", mended),
  ),
  scene(
    "paused and resumed",
    start(),
    change("pause", { spec: { paused: true } }, progressing("DeploymentPaused")),
    change("new image", image("web:2"), sizes(3)),
    change("scaled", { spec: { replicas: 4 } }, all(sizes(4), podsReady(4))),
    change("resume", { spec: { paused: null } }),
  ),
  scene(
    "paused from the start",
    step("create", [create(Deployment, deployment({ paused: true }))], progressing("DeploymentPaused")),
    change("resume", { spec: { paused: null } }),
  ),
  scene(
    "paused in the middle",
    start({ replicas: 4, ...rolling(1, 1) }),
    change("broken image", broken, all(sizes(2, 3), podsReady(3))),
    change("pause", { spec: { paused: true } }, progressing("DeploymentPaused")),
    change("resume, mended", { spec: { paused: null, ...mended.spec } }),
  ),
  scene(
    "rolled back by annotation",
    start(),
    change("new image", image("web:2")),
    change(
      "back",
      annotate({ "deprecated.deployment.rollback.to": "1" }),
      all(
        rolledOut(),
        until(
          "it is done",
          (view) => view.get(Deployment, "web")?.metadata.annotations?.["deprecated.deployment.rollback.to"] === undefined,
        ),
      ),
    ),
  ),
  scene(
    "rolled back to a revision that is not there",
    start(),
    change(
      "back",
      annotate({ "deprecated.deployment.rollback.to": "7" }),
      until(
        "it was refused",
        (view) => view.get(Deployment, "web")?.metadata.annotations?.["deprecated.deployment.rollback.to"] === undefined,
      ),
    ),
  ),
  scene(
    "undone by its old template",
    start(),
    change("new image", image("web:2")),
    change("old image", image("web:1")),
    change("new image again", image("web:2")),
  ),
  scene(
    "a progress deadline, exceeded and cured",
    start({ progressDeadlineSeconds: 3 }),
    change("broken image", broken, progressing("ProgressDeadlineExceeded")),
    change("mended", mended, all(rolledOut(), progressing("NewReplicaSetAvailable"))),
  ),
  scene(
    "pods that are never ready",
    step(
      "create",
      [create(Deployment, deployment({ template: template({ conduct: { ready: "false" } }) }))],
      counts(Pod, 3, ({ status }) => status?.phase === "Running", "run"),
    ),
    change("mended", mended),
  ),
  scene(
    "pods that crash",
    step(
      "create",
      [create(Deployment, deployment({ replicas: 2, template: template({ conduct: { "exit-after": "1s", "exit-code": "1" } }) }))],
      counts(Pod, 2, ({ status }) => status?.containerStatuses?.[0]?.state?.waiting?.reason === "CrashLoopBackOff", "crash"),
    ),
  ),
  scene(
    "pods that take their time",
    start({ template: template({ conduct: { "start-after": "1s", "ready-after": "1s" } }), minReadySeconds: 2 }),
    change("new image", image("web:2")),
  ),
  scene("minReadySeconds", start({ minReadySeconds: 3 }), change("new image", image("web:2"))),
  scene(
    "a short history",
    start({ revisionHistoryLimit: 1 }),
    change("two", image("web:2")),
    change("three", image("web:3"), all(rolledOut(), sizes(0, 3))),
    change("four", image("web:4"), all(rolledOut(), sizes(0, 3))),
    change("none", { spec: { revisionHistoryLimit: 0 } }, sizes(3)),
  ),
  scene(
    "annotations and labels of its own",
    start(),
    change("annotated", annotate({ note: "later" })),
    change("new image", { metadata: { labels: { tier: "front" } }, ...image("web:2") }),
  ),
  scene("no pods at all", start({ replicas: 0 }), change("new image", image("web:2"), all(rolledOut(), sizes(0, 0)))),
];
