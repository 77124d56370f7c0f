/** Quotas: what is counted, refused and given back. */
import { Deployment, ReplicaSet } from "@drover/api/apps/v1";
import { Pod, ResourceQuota, Service } from "@drover/api/core/v1";
import { create, patch, remove, scene, step, until } from "../scene.ts";
import type { Condition, Scene, Step } from "../scene.ts";
import { all, counts, deployment, isReady, pod, service, template } from "../scene-objects.ts";

type Amounts = Readonly<Record<string, string>>;

const quota = (hard: Amounts, spec: Partial<NonNullable<ResourceQuota["spec"]>> = {}, name = "quota"): ResourceQuota => ({
  metadata: { name },
  spec: { hard: { ...hard }, ...spec },
});
const uses = (used: Amounts, name = "quota"): Condition =>
  until(`${name} uses ${JSON.stringify(used)}`, (view) => {
    const { spec, status } = view.get(ResourceQuota, name) ?? {};
    return (
      Object.keys(spec?.hard ?? {}).every((resource) => status?.hard?.[resource] === spec?.hard?.[resource]) &&
      Object.entries(used).every(([resource, amount]) => status?.used?.[resource] === amount)
    );
  });
const start = (hard: Amounts, spec: Partial<NonNullable<ResourceQuota["spec"]>> = {}): Step =>
  step(
    "a quota",
    [create(ResourceQuota, quota(hard, spec))],
    uses(Object.fromEntries(Object.keys(hard).map((resource) => [resource, "0"]))),
  );
const asking = (cpu: string): Partial<NonNullable<Pod["spec"]>> => ({
  containers: [{ name: "main", image: "web:1", resources: { requests: { cpu }, limits: { cpu } } }],
});
const refused = until("the set says that it cannot create pods", (view) =>
  view
    .list(ReplicaSet)
    .some(({ status }) => status?.conditions?.some(({ type, status: is }) => type === "ReplicaFailure" && is === "True") === true),
);

export const quotas: readonly Scene[] = [
  scene(
    "a quota that refuses pods",
    start({ pods: "2", "count/deployments.apps": "1" }),
    step(
      "more pods than it allows",
      [create(Deployment, deployment({ replicas: 3 }))],
      all(uses({ pods: "2", "count/deployments.apps": "1" }), counts(Pod, 2, isReady, "are ready"), refused),
    ),
    step("fewer pods", [patch(Deployment, "web", { spec: { replicas: 1 } })], all(uses({ pods: "1" }), counts(Pod, 1))),
  ),
  scene(
    "a quota that is given back",
    start({ services: "2", "services.nodeports": "2" }),
    step(
      "two services",
      [create(Service, service({ type: "NodePort" }, "a")), create(Service, service({}, "b"))],
      uses({ services: "2", "services.nodeports": "1" }),
    ),
    step("another type", [patch(Service, "a", { spec: { type: "ClusterIP" } })], uses({ services: "2", "services.nodeports": "0" })),
    step("one goes", [remove(Service, "a")], uses({ services: "1" })),
    step("another comes", [create(Service, service({ type: "NodePort" }, "c"))], uses({ services: "2", "services.nodeports": "1" })),
  ),
  scene(
    "a quota and pods that end",
    start({ pods: "3", "count/pods": "9", "requests.cpu": "1", "limits.cpu": "2" }),
    step(
      "two pods",
      [
        create(
          Pod,
          pod("ends", { spec: { ...asking("200m"), restartPolicy: "Never" }, conduct: { "exit-after": "3s", "exit-code": "0" } }),
        ),
        create(Pod, pod("stays", { spec: asking("300m") })),
      ],
      until("both were counted", (view) => view.get(ResourceQuota, "quota")?.status?.used?.["count/pods"] === "2"),
    ),
    step("one has ended", [], uses({ pods: "1", "count/pods": "2", "requests.cpu": "300m", "limits.cpu": "300m" })),
    step("both go", [remove(Pod, "ends"), remove(Pod, "stays")], uses({ pods: "0", "count/pods": "0", "requests.cpu": "0" })),
  ),
  scene(
    "a quota that is changed",
    start({ pods: "2" }),
    step("a pod", [create(Pod, pod("a"))], uses({ pods: "1" })),
    step(
      "a higher limit, and another",
      [patch(ResourceQuota, "quota", { spec: { hard: { pods: "5", "count/pods": "6" } } })],
      uses({ pods: "1", "count/pods": "1" }),
    ),
    step(
      "a quota for what is there",
      [create(ResourceQuota, quota({ "count/pods": "1" }, {}, "late"))],
      uses({ "count/pods": "1" }, "late"),
    ),
  ),
  scene(
    "quotas of some pods",
    start({ pods: "5" }, { scopes: ["BestEffort"] }),
    step(
      "another quota",
      [create(ResourceQuota, quota({ pods: "5" }, { scopes: ["Terminating", "NotBestEffort"] }, "other"))],
      uses({ pods: "0" }, "other"),
    ),
    step(
      "pods of all sorts",
      [
        create(Pod, pod("best")),
        create(Pod, pod("asks", { spec: asking("1m") })),
        create(Pod, pod("ends", { spec: { ...template().spec, ...asking("1m"), activeDeadlineSeconds: 600 } })),
      ],
      all(uses({ pods: "1" }), uses({ pods: "1" }, "other"), counts(Pod, 3, isReady, "are ready")),
    ),
    step("they go", [remove(Pod, "best"), remove(Pod, "ends")], all(uses({ pods: "0" }), uses({ pods: "0" }, "other"), counts(Pod, 1))),
  ),
];
