/** Workloads that ask for more than any cluster has: the controllers share the process with the API server. */
import type { Attack, AttackClass } from "../attack.ts";
import { expectHandled, expectStatus } from "../expect-answer.ts";
import { apps, jobs, pods, template } from "./paths.ts";

const selector = { matchLabels: { app: "a" } };

/** Creates a workload, lets the controllers run for a moment, and deletes it. */
const workload = (name: string, path: string, body: (name: string) => object): Attack => ({
  name,
  limits: { seconds: 30 },
  act: async (arena) => {
    const id = name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .slice(0, 40);
    const answer = await arena.post(path, body(id));
    expectHandled(answer);
    if (answer.status !== 201) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 1500);
    });
    expectHandled(await arena.ask({ method: "DELETE", path: `${path}/${id}?propagationPolicy=Background` }));
    expectHandled(await arena.ask({ method: "DELETE", path: `${pods}?labelSelector=app%3Da`, timeoutMs: 20_000 }));
  },
});

const set =
  (replicas: number, more: object = {}) =>
  (name: string) => ({
    metadata: { name },
    spec: { replicas, serviceName: "s", selector, template, ...more },
  });

export const workloads: AttackClass = {
  name: "workloads",
  attacks: [
    workload("a StatefulSet with 200,000 replicas", apps("statefulsets"), set(200_000)),
    workload("a StatefulSet with 20 million replicas", apps("statefulsets"), set(20_000_000)),
    workload("a StatefulSet with 2,147,483,647 replicas", apps("statefulsets"), set(2_147_483_647)),
    workload("a parallel StatefulSet with a million replicas", apps("statefulsets"), set(1_000_000, { podManagementPolicy: "Parallel" })),
    workload("a StatefulSet that begins at the last ordinal", apps("statefulsets"), set(10, { ordinals: { start: 2_147_483_647 } })),
    workload("a Deployment with 2,147,483,647 replicas", apps("deployments"), (name) => ({
      metadata: { name },
      spec: { replicas: 2_147_483_647, selector, template },
    })),
    workload("a ReplicaSet with 2,147,483,647 replicas", apps("replicasets"), (name) => ({
      metadata: { name },
      spec: { replicas: 2_147_483_647, selector, template },
    })),
    workload("a Deployment with a surge of 2,147,483,647", apps("deployments"), (name) => ({
      metadata: { name },
      spec: {
        replicas: 3,
        selector,
        template,
        strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 2_147_483_647, maxUnavailable: "100%" } },
      },
    })),
    workload("a Job with 2,147,483,647 pods at once", jobs, (name) => ({
      metadata: { name },
      spec: {
        parallelism: 2_147_483_647,
        completions: 2_147_483_647,
        template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } },
      },
    })),
    workload("an indexed Job with 100,000 completions", jobs, (name) => ({
      metadata: { name },
      spec: {
        completionMode: "Indexed",
        parallelism: 100_000,
        completions: 100_000,
        template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } },
      },
    })),
    workload("a CronJob every minute since 1970", "/apis/batch/v1/namespaces/default/cronjobs", (name) => ({
      metadata: { name, creationTimestamp: "1970-01-01T00:00:00Z" },
      spec: {
        schedule: "* * * * *",
        jobTemplate: { spec: { template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } } } },
      },
      status: { lastScheduleTime: "1970-01-01T00:00:00Z" },
    })),
    workload("a CronJob that is never due", "/apis/batch/v1/namespaces/default/cronjobs", (name) => ({
      metadata: { name },
      spec: {
        schedule: "0 0 30 2 *",
        jobTemplate: { spec: { template: { ...template, spec: { ...template.spec, restartPolicy: "Never" } } } },
      },
    })),
    workload("a pod with 1,000 containers", pods, (name) => ({
      metadata: { name, labels: { app: "a" } },
      spec: { containers: Array.from({ length: 1000 }, (_, n) => ({ name: `c${n}`, image: "i" })) },
    })),
    workload("a pod with 5,000 environment variables that refer to each other", pods, (name) => ({
      metadata: { name, labels: { app: "a" } },
      spec: {
        containers: [
          { name: "c", image: "i", env: Array.from({ length: 5000 }, (_, n) => ({ name: `V${n}`, value: `$(V${n + 1})$(V${n - 1})` })) },
        ],
      },
    })),
    {
      name: "400 Services",
      limits: { seconds: 40 },
      act: async (arena) => {
        for (let index = 0; index < 400; index++)
          expectStatus(
            await arena.post("/api/v1/namespaces/default/services", {
              metadata: { name: `s${index}` },
              spec: { selector: { app: "none" }, ports: [{ port: 80 }] },
            }),
            201,
          );
      },
    },
    {
      name: "two objects that own each other",
      act: async (arena) => {
        const reference = (name: string): object => ({
          apiVersion: "v1",
          kind: "ConfigMap",
          name,
          uid: "00000000-0000-0000-0000-000000000000",
        });
        for (const [name, owner] of [
          ["left", "right"],
          ["right", "left"],
        ] as const)
          expectStatus(
            await arena.post("/api/v1/namespaces/default/configmaps", { metadata: { name, ownerReferences: [reference(owner)] } }),
            201,
          );
      },
    },
  ],
};
