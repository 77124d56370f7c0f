/** Every component of the cluster runs as its own user, with the roles of kube-apiserver only. */
import { DaemonSet, Deployment, StatefulSet } from "@drover/api/apps/v1";
import { CronJob, Job } from "@drover/api/batch/v1";
import { Namespace, Node, PersistentVolumeClaim, Pod, Secret, Service } from "@drover/api/core/v1";
import { createApiServer } from "@drover/apiserver";
import type { ApiServer, User } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { requestInfo } from "@drover/machinery";
import type { HttpRequest, Transport } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { startCluster } from "./start-cluster.ts";

interface Seen {
  /** `<user> <verb> <resource>` of every request that changes something. */
  readonly writes: Set<string>;
  /** The answers to requests that no role allows. */
  readonly refused: string[];
}

/** The server, with a record of what its users in the same process ask for. */
function watched(server: ApiServer, { writes, refused }: Seen): ApiServer {
  const record =
    (user: User, next: Transport): Transport =>
    async (request: HttpRequest) => {
      const { verb, resource, subresource } = requestInfo(request.method, request.path);
      if (!["get", "list", "watch"].includes(verb))
        writes.add(`${user.name} ${verb} ${resource}${subresource === "" ? "" : `/${subresource}`}`);
      const response = await next(request);
      // Admission refuses too, for example in a namespace that is going.
      const text = typeof response.body === "string" ? response.body : "";
      if (response.status === 403 && text.includes("cannot")) refused.push(text);
      return response;
    };
  return { ...server, handleAs: (user) => record(user, server.handleAs(user)) };
}

const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "web:1" }] } };
const selector = { matchLabels: { app: "web" } };
const claim = { accessModes: ["ReadWriteOnce" as const], resources: { requests: { storage: "1Gi" } } };
const once = { spec: { ...template.spec, restartPolicy: "Never" as const } };

describe("the users of a cluster", () => {
  it(
    "may do all that their components have to do, without more than the roles of kube-apiserver (X26, S13)",
    { timeout: 120_000 },
    async () => {
      const runtime = testRuntime();
      const seen: Seen = { writes: new Set(), refused: [] };
      const tokenSigner = nodeHost.tokenSigner();
      const host = { ...nodeHost, tokenSigner: () => tokenSigner };
      const server = await createApiServer({ runtime, host, admissionPlugins: { enable: ["ServiceAccount"] } });
      const cluster = await startCluster({
        runtime,
        on: watched(server, seen),
        nodes: 2,
        tokenSigner: () => tokenSigner,
        authorityPem: "PEM",
      });
      const { client, kubelets } = cluster;
      const namespace = "shop";
      await client.create(Namespace, { metadata: { name: namespace } });
      await runtime.clock.advance(5000);
      await client.create(Deployment, { metadata: { name: "web", namespace }, spec: { replicas: 2, selector, template } });
      await client.create(DaemonSet, { metadata: { name: "agent", namespace }, spec: { selector, template } });
      await client.create(StatefulSet, {
        metadata: { name: "db", namespace },
        spec: { serviceName: "db", replicas: 1, selector, template, volumeClaimTemplates: [{ metadata: { name: "data" }, spec: claim }] },
      });
      await client.create(Job, { metadata: { name: "job", namespace }, spec: { template: once, ttlSecondsAfterFinished: 1 } });
      await client.create(CronJob, {
        metadata: { name: "cron", namespace },
        spec: { schedule: "* * * * *", jobTemplate: { spec: { template: once } } },
      });
      await client.create(Service, { metadata: { name: "web", namespace }, spec: { selector: { app: "web" }, ports: [{ port: 80 }] } });
      await client.create(PersistentVolumeClaim, { metadata: { name: "own", namespace }, spec: claim });
      await client.create(Secret, {
        metadata: { name: "token", namespace, annotations: { "kubernetes.io/service-account.name": "default" } },
        type: "kubernetes.io/service-account-token",
      });
      await runtime.clock.advance(150_000);
      expect((await client.get(Secret, "token", { namespace })).data?.["token"]).toMatch(/./);
      expect((await client.list(Pod, { namespace })).items.some(({ status }) => status?.phase === "Running")).toBe(true);
      await client.patch(Deployment, "web", { type: "merge", body: { spec: { template: { spec: { hostname: "b" } } } } }, { namespace });
      await client.delete(PersistentVolumeClaim, "own", { namespace });
      await client.delete(Deployment, "web", { namespace, propagationPolicy: "Foreground" });
      kubelets.stopNode("node-2");
      await runtime.clock.advance(400_000);
      await client.delete(Node, "node-2");
      await client.delete(Namespace, namespace);
      await runtime.clock.advance(100_000);
      expect(await client.list(Namespace).then(({ items }) => items.map(({ metadata }) => metadata.name))).not.toContain(namespace);
      const stopped = cluster.stop();
      await runtime.clock.advance(60_000);
      await stopped;
      server.close();
      expect(seen.refused).toEqual([]);
      const users = [...new Set([...seen.writes].map((line) => line.replace("system:serviceaccount:kube-system:", "").replace(/ .*/, "")))];
      expect(users.toSorted()).toEqual([
        "clusterrole-aggregation-controller",
        "cronjob-controller",
        "daemon-set-controller",
        "deployment-controller",
        "endpoint-controller",
        "endpointslice-controller",
        "generic-garbage-collector",
        "job-controller",
        "namespace-controller",
        "node-controller",
        "persistent-volume-binder",
        "pod-garbage-collector",
        "pv-protection-controller",
        "pvc-protection-controller",
        "replicaset-controller",
        "root-ca-cert-publisher",
        "service-account-controller",
        "statefulset-controller",
        "system:kube-controller-manager",
        "system:kube-scheduler",
        "system:node:node-1",
        "system:node:node-2",
        "ttl-after-finished-controller",
      ]);
    },
  );
});
