/** Kubelets ask for everything there is: a real server and ours, both in mode Node,RBAC, decide alike and give the same reason. */
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { testRuntime } from "@drover/machinery/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { realServerMissing, startRealServer } from "../servers/real-server.ts";
import type { RealRequest, RealServer } from "../servers/real-server.ts";

type Send = (request: RealRequest) => Promise<{ readonly status: number; readonly body: string }>;

const container = { name: "c", image: "example.com/c:1" };
const pod = (name: string, spec: object, metadata: object = {}): object => ({
  metadata: { name, ...metadata },
  spec: { containers: [container], ...spec },
});
const secretVolume = (name: string): object => ({ name: `v-${name}`, secret: { secretName: name } });
const claimVolume = (claimName: string): object => ({ name: "data", persistentVolumeClaim: { claimName } });
const volume = (name: string, claim: string, more: object): object => ({
  metadata: { name },
  spec: {
    capacity: { storage: "1Gi" },
    accessModes: ["ReadWriteOnce"],
    claimRef: { namespace: "shop", name: claim },
    csi: { driver: "x", volumeHandle: name, ...more },
  },
});

/** Objects of two nodes, and some of none. */
const objects: readonly (readonly [path: string, body: object])[] = [
  ["/api/v1/namespaces", { metadata: { name: "shop" } }],
  ["/api/v1/nodes", { metadata: { name: "n1" } }],
  ["/api/v1/nodes", { metadata: { name: "n2" } }],
  [
    "/api/v1/namespaces/shop/pods",
    pod("one", {
      nodeName: "n1",
      serviceAccountName: "robot",
      imagePullSecrets: [{ name: "pull" }],
      volumes: [
        secretVolume("mounted"),
        claimVolume("claim1"),
        { name: "all", projected: { sources: [{ secret: { name: "projected" } }, { configMap: { name: "projected" } }] } },
        {
          name: "own",
          ephemeral: { volumeClaimTemplate: { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } } } },
        },
      ],
      initContainers: [{ ...container, name: "i", envFrom: [{ configMapRef: { name: "init" } }] }],
      containers: [{ ...container, env: [{ name: "X", valueFrom: { secretKeyRef: { name: "variable", key: "k" } } }] }],
    }),
  ],
  ["/api/v1/namespaces/shop/pods", pod("two", { nodeName: "n2", volumes: [secretVolume("others"), claimVolume("claim2")] })],
  ["/api/v1/namespaces/shop/pods", pod("waiting", { volumes: [secretVolume("waiting")] })],
  [
    "/api/v1/persistentvolumes",
    volume("pv1", "claim1", {
      nodeStageSecretRef: { namespace: "store", name: "stage" },
      controllerPublishSecretRef: { namespace: "store", name: "publish" },
    }),
  ],
  ["/api/v1/persistentvolumes", volume("pv2", "claim2", {})],
  [
    "/apis/storage.k8s.io/v1/volumeattachments",
    { metadata: { name: "a1" }, spec: { attacher: "x", nodeName: "n1", source: { persistentVolumeName: "pv1" } } },
  ],
];

const verbs = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"];
const resource = (group: string, plural: string, names: readonly string[], namespaces: readonly string[] = ["shop"]): readonly object[] =>
  namespaces.flatMap((namespace) =>
    ["", ...names].flatMap((name) =>
      plural.split("|").flatMap((one) => {
        const [word = "", subresource = ""] = one.split("/");
        return verbs.map((verb) => ({ verb, group, resource: word, subresource, namespace, name }));
      }),
    ),
  );

/** Every verb on every resource that a kubelet knows, for objects of its own, of others and of nobody. */
const questions: readonly object[] = [
  ...resource("", "secrets", ["pull", "mounted", "projected", "variable", "others", "waiting", "none"], ["shop", ""]),
  ...resource("", "secrets", ["stage", "publish"], ["store"]),
  ...resource("", "secrets/status", ["pull"]),
  ...resource("", "configmaps", ["projected", "init", "none"], ["shop", ""]),
  ...resource("", "persistentvolumeclaims|persistentvolumeclaims/status", ["claim1", "claim2", "one-own"]),
  ...resource("", "persistentvolumes|persistentvolumes/status", ["pv1", "pv2"], [""]),
  ...resource("", "serviceaccounts|serviceaccounts/token", ["robot", "default"]),
  ...resource("", "nodes|nodes/status|nodes/proxy", ["n1", "n2"], [""]),
  ...resource("", "pods|pods/status|pods/eviction|pods/log|pods/binding", ["one", "two", "waiting"], ["shop", ""]),
  ...resource("", "services|endpoints|events|namespaces", ["x"], ["shop", ""]),
  ...resource("events.k8s.io", "events", ["x"]),
  ...resource("coordination.k8s.io", "leases", ["n1", "n2"], ["shop", "kube-node-lease"]),
  ...resource("storage.k8s.io", "volumeattachments|csinodes|csinodes/status|csidrivers|storageclasses", ["a1", "n1", "n2"], [""]),
  ...resource(
    "resource.k8s.io",
    "resourceclaims|resourceclaims/status|resourceslices|resourceslices/status|deviceclasses",
    ["r1"],
    ["shop", ""],
  ),
  ...resource("certificates.k8s.io", "certificatesigningrequests|podcertificaterequests|clustertrustbundles", ["x"], [""]),
  ...resource("node.k8s.io", "runtimeclasses", ["x"], [""]),
  ...resource("authentication.k8s.io", "tokenreviews", [], [""]),
  ...resource("authorization.k8s.io", "subjectaccessreviews|localsubjectaccessreviews|selfsubjectaccessreviews", [], ["shop", ""]),
  ...resource("apps", "deployments", ["x"]),
];

const selectors: readonly object[] = ["pods", "resourceslices"].flatMap((word) =>
  ["list", "watch", "deletecollection", "get"].flatMap((verb) =>
    [
      { rawSelector: "spec.nodeName=n1" },
      { rawSelector: "spec.nodeName==n1,metadata.name=x" },
      { rawSelector: "spec.nodeName=n2" },
      { rawSelector: "spec.nodeName!=n1" },
      { requirements: [{ key: "spec.nodeName", operator: "In", values: ["n1"] }] },
      { requirements: [{ key: "spec.nodeName", operator: "In", values: ["n1", "n2"] }] },
      { requirements: [{ key: "spec.nodeName", operator: "NotIn", values: ["n1"] }] },
    ].map((fieldSelector) => ({ verb, group: word === "pods" ? "" : "resource.k8s.io", resource: word, fieldSelector })),
  ),
);

const kubelet = { user: "system:node:n1", groups: ["system:nodes", "system:authenticated"] };
const specs: readonly object[] = [
  ...[...questions, ...selectors].map((resourceAttributes) => ({ ...kubelet, resourceAttributes })),
  { ...kubelet, nonResourceAttributes: { verb: "get", path: "/healthz" } },
  { ...kubelet, nonResourceAttributes: { verb: "get", path: "/metrics" } },
  ...[
    { user: "system:node:n1", groups: [] },
    { user: "system:node:", groups: ["system:nodes"] },
    { user: "n1", groups: ["system:nodes"] },
  ].map((user) => ({ ...user, resourceAttributes: { verb: "get", resource: "nodes", name: "n1" } })),
];

async function review(send: Send, spec: object): Promise<object> {
  const body = JSON.stringify({ apiVersion: "authorization.k8s.io/v1", kind: "SubjectAccessReview", spec });
  const path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
  const answer = await send({ method: "POST", path, headers: { "content-type": "application/json" }, body });
  expect(answer.status, answer.body).toBe(201);
  const { status } = JSON.parse(answer.body) as { readonly status: { readonly reason?: string } };
  // Of several bindings, the real server names one at random.
  return status.reason?.startsWith("RBAC: allowed by") === true ? { ...status, reason: "RBAC" } : status;
}

describe("authorization mode Node", () => {
  let real: RealServer;
  let ours: Send;
  beforeAll(async () => {
    if (realServerMissing !== undefined) return;
    real = await startRealServer({ authorization: "Node,RBAC" });
    const server = await createApiServer({ runtime: testRuntime(), host: nodeHost });
    ours = async ({ headers = {}, ...request }) => {
      const { status, body } = await server.handle({ ...request, headers });
      return { status, body: body as string };
    };
    for (const send of [ours, real.send])
      for (const [path, body] of objects) {
        const answer = await send({ method: "POST", path, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
        expect(answer.status, `${path}: ${answer.body}`).toBe(201);
      }
  }, 90_000);
  afterAll(() => (realServerMissing === undefined ? real.stop() : undefined), 30_000);

  it("decides alike on both servers", { timeout: 60_000 }, async (ctx) => {
    if (realServerMissing !== undefined) ctx.skip(realServerMissing);
    // The last object of each kind: a server that knows these knows all.
    const other = { ...kubelet, user: "system:node:n2" };
    for (const last of [
      { ...other, resourceAttributes: { verb: "get", resource: "pods", namespace: "shop", name: "two" } },
      { ...other, resourceAttributes: { verb: "get", resource: "persistentvolumes", name: "pv2" } },
      { ...kubelet, resourceAttributes: { verb: "get", group: "storage.k8s.io", resource: "volumeattachments", name: "a1" } },
    ])
      await expect.poll(() => review(real.send, last), { timeout: 10_000, interval: 20 }).toEqual({ allowed: true });
    const answersOf = async (send: Send): Promise<readonly object[]> => {
      const all: object[] = [];
      for (let from = 0; from < specs.length; from += 50)
        all.push(...(await Promise.all(specs.slice(from, from + 50).map(async (spec) => ({ spec, status: await review(send, spec) })))));
      return all;
    };
    expect(await answersOf(ours)).toEqual(await answersOf(real.send));
  });
});
