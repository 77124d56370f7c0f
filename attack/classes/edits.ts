/** Objects that controllers rely on, edited by hand while they run. */
import type { Attack, AttackClass } from "../attack.ts";
import { expectHandled } from "../expect-answer.ts";
import { apps, pods, template } from "./paths.ts";

const merge = { "content-type": "application/merge-patch+json" };
const edited = (name: string, path: string, body: object): Attack => ({
  name,
  act: async (arena) => {
    expectHandled(await arena.ask({ method: "PATCH", path, headers: merge, body }));
  },
});

export const edits: AttackClass = {
  name: "edits",
  attacks: [
    {
      name: "all leases deleted 20 times",
      act: async (arena) => {
        for (let round = 0; round < 20; round++)
          expectHandled(await arena.ask({ method: "DELETE", path: "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases" }));
      },
    },
    edited("a Node that claims a million pods", "/api/v1/nodes/node-1/status", {
      status: { capacity: { pods: "1000000" }, allocatable: { pods: "1000000" } },
    }),
    edited("a Node with 10,000 conditions", "/api/v1/nodes/node-1/status", {
      status: { conditions: Array.from({ length: 10_000 }, (_, n) => ({ type: `T${n}`, status: "True" })) },
    }),
    edited("the default namespace with a finalizer", "/api/v1/namespaces/default", { metadata: { finalizers: ["attack.example/never"] } }),
    {
      name: "a Deployment whose ReplicaSets are edited while it rolls out",
      act: async (arena) => {
        const path = apps("deployments");
        expectHandled(
          await arena.post(path, {
            metadata: { name: "edited" },
            spec: {
              replicas: 3,
              selector: { matchLabels: { app: "edited" } },
              template: { ...template, metadata: { labels: { app: "edited" } } },
            },
          }),
        );
        for (let round = 0; round < 10; round++) {
          const { text } = await arena.get(`${apps("replicasets")}?labelSelector=app%3Dedited`);
          for (const { metadata } of (JSON.parse(text) as { items: { metadata: { name: string } }[] }).items)
            expectHandled(
              await arena.ask({
                method: "PATCH",
                path: `${apps("replicasets")}/${metadata.name}`,
                headers: merge,
                body: { spec: { replicas: round * 7 }, metadata: { labels: { round: `${round}` }, ownerReferences: null } },
              }),
            );
        }
        expectHandled(await arena.ask({ method: "DELETE", path: `${path}/edited` }));
      },
    },
    {
      name: "pods with the status of a stranger",
      act: async (arena) => {
        expectHandled(await arena.post(pods, { metadata: { name: "odd" }, spec: template.spec }));
        for (const status of [
          { phase: "Nonsense" },
          { phase: "Running", startTime: "2999-01-01T00:00:00Z" },
          { containerStatuses: [{ name: "x", restartCount: 2_147_483_647 }] },
          { conditions: [{ type: "Ready", status: "Maybe" }] },
        ])
          expectHandled(await arena.ask({ method: "PATCH", path: `${pods}/odd/status`, headers: merge, body: { status } }));
      },
    },
    {
      name: "the CRD of the operator deleted and installed again",
      limits: { seconds: 60 },
      act: async (arena) => {
        const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/sheep.attack.drover.dev";
        const { text } = await arena.get(path);
        const { metadata: _metadata, status: _status, ...rest } = JSON.parse(text) as { metadata: object; status: object };
        expectHandled(await arena.ask({ method: "DELETE", path }));
        for (let tries = 0; tries < 200; tries++) {
          const { status } = await arena.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
            ...rest,
            metadata: { name: "sheep.attack.drover.dev" },
          });
          if (status === 201) break;
          await new Promise((resolve) => {
            setTimeout(resolve, 50);
          });
        }
        for (let tries = 0; tries < 200; tries++) {
          const { status } = await arena.sheep("again", { text: "again" });
          if (status === 201 || status === 200) break;
          await new Promise((resolve) => {
            setTimeout(resolve, 50);
          });
        }
        await arena.fed("again", "again", 50);
      },
    },
  ],
};
