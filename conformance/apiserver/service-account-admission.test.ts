/** Pods and their service accounts: a real server and ours, both with the plug-in ServiceAccount and without controllers, answer alike. */
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { testRuntime } from "@drover/machinery/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { realServerMissing, startRealServer } from "../servers/real-server.ts";
import type { RealRequest, RealServer } from "../servers/real-server.ts";

type Send = (request: RealRequest) => Promise<{ readonly status: number; readonly body: string }>;

const enforce = { "kubernetes.io/enforce-mountable-secrets": "true" };
const mirror = { "kubernetes.io/config.mirror": "x" };
const container = (more: object = {}): object => ({ name: "c", image: "example.com/c:1", ...more });
const mounts = (mountPath: string, name = "v"): object => ({ volumeMounts: [{ name, mountPath }] });
const tokenPath = "/var/run/secrets/kubernetes.io/serviceaccount";
const fromSecret = (name: string): object => ({ env: [{ name: "X", valueFrom: { secretKeyRef: { name, key: "k" } } }] });
const allFromSecret = (name: string): object => ({ envFrom: [{ secretRef: { name } }] });

const accounts: readonly object[] = [
  { metadata: { name: "default" } },
  { metadata: { name: "puller" }, imagePullSecrets: [{ name: "registry" }, { name: "other" }] },
  { metadata: { name: "quiet" }, automountServiceAccountToken: false },
  { metadata: { name: "strict", annotations: enforce }, secrets: [{ name: "known" }], imagePullSecrets: [{ name: "registry" }] },
  { metadata: { name: "lax", annotations: { "kubernetes.io/enforce-mountable-secrets": "yes" } } },
];

/** Each pod is created once, with its own name. */
const pods: readonly { readonly metadata?: object; readonly spec?: object }[] = [
  {},
  { spec: { serviceAccountName: "puller" } },
  { spec: { serviceAccount: "puller" } },
  { spec: { serviceAccountName: "puller", imagePullSecrets: [{ name: "own" }] } },
  { spec: { serviceAccountName: "quiet" } },
  { spec: { serviceAccountName: "quiet", automountServiceAccountToken: true } },
  { spec: { automountServiceAccountToken: false } },
  { spec: { serviceAccountName: "nobody" } },
  { metadata: { name: "", generateName: "made-" }, spec: { serviceAccountName: "nobody" } },
  { spec: { initContainers: [container({ name: "i" })], containers: [container(), container({ name: "d" })] } },
  { spec: { volumes: [{ name: "v", emptyDir: {} }], containers: [container(mounts(tokenPath)), container({ name: "d" })] } },
  { spec: { volumes: [{ name: "v", emptyDir: {} }], containers: [container(mounts(tokenPath))] } },
  { spec: { volumes: [{ name: "v", emptyDir: {} }], containers: [container(mounts("/data"))] } },
  { spec: { volumes: [{ name: "kube-api-access-mine", emptyDir: {} }] } },
  { metadata: { annotations: mirror }, spec: { nodeName: "n" } },
  { metadata: { annotations: mirror }, spec: { nodeName: "n", serviceAccountName: "default" } },
  { metadata: { annotations: mirror }, spec: { nodeName: "n", imagePullSecrets: [{ name: "s" }] } },
  {
    metadata: { annotations: mirror },
    spec: { nodeName: "n", volumes: [{ name: "t", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } }] },
  },
  ...["strict", "lax"].flatMap((serviceAccountName) =>
    ["known", "unknown"].flatMap((secret) => [
      { spec: { serviceAccountName, volumes: [{ name: "s", secret: { secretName: secret } }] } },
      { spec: { serviceAccountName, containers: [container(fromSecret(secret))] } },
      { spec: { serviceAccountName, containers: [container(allFromSecret(secret))] } },
      { spec: { serviceAccountName, initContainers: [container({ name: "i", ...fromSecret(secret) })] } },
      { spec: { serviceAccountName, initContainers: [container({ name: "i", ...allFromSecret(secret) })] } },
    ]),
  ),
  { spec: { serviceAccountName: "strict", imagePullSecrets: [{ name: "registry" }] } },
  { spec: { serviceAccountName: "strict", imagePullSecrets: [{ name: "registry" }, { name: "unknown" }] } },
];

const path = "/api/v1/namespaces/shop";
const post = (send: Send, to: string, body: object): ReturnType<Send> =>
  send({ method: "POST", path: to, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

/** The answer without what differs between runs. */
function seen({ status, body }: { readonly status: number; readonly body: string }): object {
  const { spec, message, details } = JSON.parse(body.replaceAll(/kube-api-access-[a-z0-9]{5}\b/g, "kube-api-access-*")) as Record<
    string,
    object
  >;
  return status === 201 ? { status, spec } : { status, message, details };
}

describe("the admission plug-in ServiceAccount", () => {
  let real: RealServer;
  let ours: Send;
  beforeAll(async () => {
    if (realServerMissing !== undefined) return;
    real = await startRealServer({ serviceAccounts: true });
    const server = await createApiServer({ runtime: testRuntime(), host: nodeHost, admissionPlugins: { enable: ["ServiceAccount"] } });
    ours = async ({ headers = {}, ...request }) => {
      const { status, body } = await server.handle({ ...request, headers });
      return { status, body: body as string };
    };
    for (const send of [ours, real.send]) {
      await post(send, "/api/v1/namespaces", { metadata: { name: "shop" } });
      for (const account of accounts) expect((await post(send, `${path}/serviceaccounts`, account)).status).toBe(201);
    }
  }, 90_000);
  afterAll(() => (realServerMissing === undefined ? real.stop() : undefined), 30_000);

  it("treats pods alike on both servers", { timeout: 60_000 }, async (ctx) => {
    if (realServerMissing !== undefined) ctx.skip(realServerMissing);
    for (const [index, { metadata, spec }] of pods.entries()) {
      const pod = { metadata: { name: `p${index}`, ...metadata }, spec: { containers: [container()], ...spec } };
      const [own, theirs] = [seen(await post(ours, `${path}/pods`, pod)), seen(await post(real.send, `${path}/pods`, pod))];
      expect(own, JSON.stringify(pod)).toEqual(theirs);
    }
  });

  it("checks the secrets of ephemeral containers alike on both servers", { timeout: 60_000 }, async (ctx) => {
    if (realServerMissing !== undefined) ctx.skip(realServerMissing);
    for (const send of [ours, real.send]) {
      const pod = { metadata: { name: "e" }, spec: { serviceAccountName: "strict", containers: [container()] } };
      expect((await post(send, `${path}/pods`, pod)).status).toBe(201);
    }
    for (const [index, more] of [fromSecret("known"), fromSecret("unknown"), allFromSecret("unknown")].entries()) {
      const body = JSON.stringify({ spec: { ephemeralContainers: [{ name: `d${index}`, image: "example.com/d:1", ...more }] } });
      const patch = async (send: Send): Promise<object> => {
        const answer = await send({
          method: "PATCH",
          path: `${path}/pods/e/ephemeralcontainers`,
          headers: { "content-type": "application/strategic-merge-patch+json" },
          body,
        });
        return answer.status === 200 ? { status: 200 } : seen(answer);
      };
      expect(await patch(ours)).toEqual(await patch(real.send));
    }
  });
});
