/** Admission plug-ins that are off by default, or that ask who the user is: a real server and ours answer the same requests alike. */
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { testRuntime } from "@drover/machinery/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mastersRequest, nodeRequest, userRequest } from "../servers/certificate-requests.ts";
import { realServerMissing, startRealServer } from "../servers/real-server.ts";
import type { RealRequest, RealServer } from "../servers/real-server.ts";

const plugins = [
  "AlwaysAdmit",
  "NamespaceAutoProvision",
  "NamespaceExists",
  "LimitPodHardAntiAffinityTopology",
  "NodeRestriction",
  "AlwaysPullImages",
  "PodNodeSelector",
  "PodTolerationRestriction",
  "ExtendedResourceToleration",
  "OwnerReferencesPermissionEnforcement",
  "DenyServiceExternalIPs",
];

type Send = (request: RealRequest) => Promise<{ readonly status: number; readonly body: string }>;

interface Step {
  /** "node n1" is the user and the group of a node. @default the administrator */
  readonly user?: string;
  readonly method: string;
  readonly path: string;
  /** Gets the uids of earlier objects by name. */
  readonly body?: (uids: ReadonlyMap<string, string>) => object;
  readonly type?: string;
}

const step = (method: string, path: string, body?: object | ((uids: ReadonlyMap<string, string>) => object), user?: string): Step => ({
  method,
  path,
  ...(user === undefined ? {} : { user }),
  ...(body === undefined ? {} : { body: typeof body === "function" ? (body as NonNullable<Step["body"]>) : () => body }),
  ...(method === "PATCH" ? { type: "application/merge-patch+json" } : {}),
});

const inPlain = "/api/v1/namespaces/plain";
const rbac = "/apis/rbac.authorization.k8s.io/v1";
const apiGroup = "rbac.authorization.k8s.io";
const csrs = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const container = (extra: object = {}): object => ({ name: "c", image: "example.com/c:1", ...extra });
const pod = (name: string, spec: object = {}, metadata: object = {}): object => ({
  metadata: { name, ...metadata },
  spec: { containers: [container()], ...spec },
});
const named = (name: string, metadata: object = {}): object => ({ metadata: { name, ...metadata } });
const csr = (name: string, signerName: string, request: string): object => ({
  ...named(name),
  spec: { request, signerName, usages: ["client auth"] },
});
const grant = (user: string, ...rules: readonly object[]): readonly Step[] => [
  step("POST", `${rbac}/clusterroles`, { ...named(user), rules }),
  step("POST", `${rbac}/clusterrolebindings`, {
    ...named(user),
    roleRef: { apiGroup, kind: "ClusterRole", name: user },
    subjects: [user === "nodes" ? { apiGroup, kind: "Group", name: "system:nodes" } : { apiGroup, kind: "User", name: user }],
  }),
];
const usual = ["get", "list", "create", "update", "patch", "delete"];
const signers = (verb: string, ...resourceNames: readonly string[]): object => ({
  apiGroups: ["certificates.k8s.io"],
  resources: ["signers"],
  verbs: [verb],
  resourceNames,
});
const onRequests = { apiGroups: ["certificates.k8s.io"], resources: ["*"], verbs: usual };

const badTolerations = [
  "x",
  "{}",
  '[{"key":5}]',
  "[null]",
  "null",
  '[{"KEY":"a","tolerationSeconds":1.5}]',
  '[{"Key":"a","operator":"Exists","more":1}]',
  "[",
  "",
];

const setUp: readonly Step[] = [
  step("POST", "/api/v1/namespaces", named("plain")),
  step(
    "POST",
    "/api/v1/namespaces",
    named("placed", { annotations: { "scheduler.alpha.kubernetes.io/node-selector": "disk=ssd, zone=a" } }),
  ),
  ...["a", "a=b=c", "-a=b", "a=-b"].map((selector, index) =>
    step("POST", "/api/v1/namespaces", named(`bad-${index}`, { annotations: { "scheduler.alpha.kubernetes.io/node-selector": selector } })),
  ),
  step(
    "POST",
    "/api/v1/namespaces",
    named("tolerant", {
      annotations: {
        "scheduler.alpha.kubernetes.io/defaultTolerations": JSON.stringify([
          { key: "a", operator: "Equal", value: "b", effect: "NoSchedule" },
        ]),
        "scheduler.alpha.kubernetes.io/tolerationsWhitelist": JSON.stringify([
          { key: "a", operator: "Exists" },
          { key: "node.kubernetes.io/not-ready", operator: "Exists" },
          { key: "node.kubernetes.io/unreachable", operator: "Exists" },
          { key: "node.kubernetes.io/memory-pressure", operator: "Exists" },
        ]),
      },
    }),
  ),
  ...badTolerations.map((text, index) =>
    step(
      "POST",
      "/api/v1/namespaces",
      named(`odd-${index}`, { annotations: { "scheduler.alpha.kubernetes.io/defaultTolerations": text } }),
    ),
  ),
  ...["n1", "n2"].map((name) => step("POST", "/api/v1/nodes", named(name))),
  ...grant("nodes", { apiGroups: ["*"], resources: ["*"], verbs: usual }),
  ...grant("one", onRequests, signers("approve", "example.com/s"), signers("sign", "example.com/s")),
  ...grant("domain", onRequests, signers("approve", "example.com/*"), signers("sign", "example.com/*")),
  ...grant("none", onRequests),
  ...grant(
    "owner",
    { apiGroups: ["", "apps"], resources: ["configmaps", "deployments"], verbs: ["create", "get", "update", "patch"] },
    { apiGroups: [""], resources: ["configmaps"], resourceNames: ["mine"], verbs: ["delete"] },
    { apiGroups: ["apps"], resources: ["deployments/finalizers"], resourceNames: ["d1"], verbs: ["update"] },
  ),
  step("POST", `${inPlain}/serviceaccounts`, named("robot")),
  step("POST", `${inPlain}/configmaps`, named("mine")),
  step("POST", `${inPlain}/configmaps`, named("theirs")),
  step("POST", "/apis/storage.k8s.io/v1/csidrivers", { ...named("d.example.com"), spec: { tokenRequests: [{ audience: "for-driver" }] } }),
  step(
    "POST",
    `${inPlain}/pods`,
    pod("p1", {
      nodeName: "n1",
      serviceAccountName: "robot",
      volumes: [
        { name: "t", projected: { sources: [{ serviceAccountToken: { audience: "for-volume", path: "t" } }] } },
        { name: "d", csi: { driver: "d.example.com" } },
      ],
    }),
  ),
  step("POST", `${inPlain}/pods`, pod("p2", { nodeName: "n2" })),
  step("POST", `${inPlain}/pods`, pod("p3", { nodeName: "n1", volumes: [{ name: "x", csi: { driver: "gone.example.com" } }] })),
  step("POST", `${inPlain}/persistentvolumeclaims`, {
    ...named("claim"),
    spec: { accessModes: ["ReadWriteOnce"], storageClassName: "", resources: { requests: { storage: "1Gi" } } },
  }),
  step("POST", csrs, csr("r1", "example.com/s", userRequest)),
  step("POST", csrs, csr("r2", "other.example.com/s", userRequest)),
];

const node = "node n1";
const owner = (uids: ReadonlyMap<string, string>, extra: object = {}): object => ({
  apiVersion: "v1",
  kind: "Node",
  name: "n1",
  uid: uids.get("n1") ?? "",
  controller: true,
  ...extra,
});
const mirror = { annotations: { "kubernetes.io/config.mirror": "x" } };
const mirrorPod =
  (extra: object, spec: object = {}): NonNullable<Step["body"]> =>
  (uids) =>
    pod("m", { nodeName: "n1", ...spec }, { ...mirror, ownerReferences: [owner(uids, extra)] });
const token = (uids: ReadonlyMap<string, string>, podName: string, audiences: readonly string[] = []): object => ({
  spec: { audiences, boundObjectRef: { apiVersion: "v1", kind: "Pod", name: podName, uid: uids.get(podName) ?? "" } },
});
const tokenPath = `${inPlain}/serviceaccounts/robot/token`;

const byNodes: readonly Step[] = [
  step("POST", `${inPlain}/pods`, pod("m"), node),
  step("POST", `${inPlain}/pods`, pod("m", { nodeName: "n2" }, mirror), node),
  step("POST", `${inPlain}/pods`, pod("m", { nodeName: "n1" }, mirror), node),
  step("POST", `${inPlain}/pods`, mirrorPod({ kind: "Pod" }), node),
  step("POST", `${inPlain}/pods`, mirrorPod({ controller: false }), node),
  step("POST", `${inPlain}/pods`, mirrorPod({ blockOwnerDeletion: true }), node),
  step("POST", `${inPlain}/pods`, mirrorPod({ uid: "00000000-0000-0000-0000-000000000000" }), node),
  step("POST", `${inPlain}/pods`, mirrorPod({}, { serviceAccountName: "robot" }), node),
  step("POST", `${inPlain}/pods`, mirrorPod({}, { imagePullSecrets: [{ name: "s" }] }), node),
  step("POST", `${inPlain}/pods`, mirrorPod({}, { volumes: [{ name: "v", secret: { secretName: "s" } }] }), node),
  step("POST", `${inPlain}/pods`, mirrorPod({}, { volumes: [{ name: "v", configMap: { name: "s" } }] }), node),
  step("POST", `${inPlain}/pods`, mirrorPod({}, { volumes: [{ name: "v", persistentVolumeClaim: { claimName: "s" } }] }), node),
  step("POST", `${inPlain}/pods`, mirrorPod({}, { volumes: [{ name: "v", csi: { driver: "d" } }] }), node),
  step(
    "POST",
    `${inPlain}/pods`,
    mirrorPod({}, { volumes: [{ name: "v", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } }] }),
    node,
  ),
  step(
    "POST",
    `${inPlain}/pods`,
    mirrorPod({}, { containers: [container({ env: [{ name: "A", valueFrom: { configMapKeyRef: { name: "c", key: "k" } } }] })] }),
    node,
  ),
  step("POST", `${inPlain}/pods`, mirrorPod({}, { volumes: [{ name: "v", hostPath: { path: "/" } }] }), node),
  step("PATCH", `${inPlain}/pods/m`, { metadata: { labels: { a: "b" } } }, node),
  step("PATCH", `${inPlain}/pods/p2/status`, { status: { message: "m" } }, node),
  step("PATCH", `${inPlain}/pods/p1/status`, { status: { message: "m" } }, node),
  step("PATCH", `${inPlain}/pods/p1/status`, { metadata: { labels: { a: "b" } } }, node),
  step("PATCH", `${inPlain}/pods/p1/status`, { status: { resourceClaimStatuses: [{ name: "x", resourceClaimName: "y" }] } }, node),
  step("POST", `${inPlain}/pods/p2/eviction`, { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p2" } }, node),
  step("POST", `${inPlain}/pods/gone/eviction`, { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "gone" } }, node),
  step("POST", `${inPlain}/pods/p1/binding`, { metadata: { name: "p1" }, target: { kind: "Node", name: "n1" } }, node),
  step("PATCH", `${inPlain}/pods/p1/resize`, { spec: {} }, node),
  step("DELETE", `${inPlain}/pods/p2`, undefined, node),
  step("DELETE", `${inPlain}/pods/m`, undefined, node),
  step("POST", "/api/v1/nodes", named("n3"), node),
  step(
    "POST",
    "/api/v1/nodes",
    named("n4", { labels: { "node-restriction.kubernetes.io/x": "y", "kubernetes.io/x": "y", a: "b" } }),
    "node n4",
  ),
  step(
    "POST",
    "/api/v1/nodes",
    named("n4", { labels: { "kubelet.kubernetes.io/x": "y", "a.node.kubernetes.io/b": "c", "kubernetes.io/os": "linux" } }),
    "node n4",
  ),
  step("PATCH", "/api/v1/nodes/n2", { metadata: { labels: { a: "b" } } }, node),
  step("PATCH", "/api/v1/nodes/n1", { metadata: { labels: { a: "b" } } }, node),
  step("PATCH", "/api/v1/nodes/n1", { metadata: { labels: { "k8s.io/b": "c", "x.k8s.io/a": "b" } } }, node),
  step("PATCH", "/api/v1/nodes/n1", { spec: { taints: [] } }, node),
  step("PATCH", "/api/v1/nodes/n1", { metadata: { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "a", uid: "u" }] } }, node),
  step("PATCH", "/api/v1/nodes/n1/status", { status: { phase: "Running" } }, node),
  step("PATCH", "/api/v1/nodes/n2/status", { status: { phase: "Running" } }, node),
  step("DELETE", "/api/v1/nodes/n2", undefined, node),
  step("PATCH", `${inPlain}/persistentvolumeclaims/claim`, { metadata: { labels: { a: "b" } } }, node),
  step("PATCH", `${inPlain}/persistentvolumeclaims/claim/status`, { status: { capacity: { storage: "1Gi" } } }, node),
  step("POST", tokenPath, { spec: {} }, node),
  step("POST", tokenPath, { spec: { boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "p1" } } }, node),
  step("POST", tokenPath, { spec: { boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "gone", uid: "u" } } }, node),
  step("POST", tokenPath, { spec: { boundObjectRef: { apiVersion: "v1", kind: "Pod", name: "p1", uid: "u" } } }, node),
  step("POST", tokenPath, (uids) => token(uids, "p2"), node),
  step("POST", tokenPath, (uids) => token(uids, "p1", ["a", "b"]), node),
  step("POST", `${tokenPath}?dryRun=All`, (uids) => token(uids, "p1", ["for-volume"]), node),
  step("POST", `${tokenPath}?dryRun=All`, (uids) => token(uids, "p1", ["for-driver"]), node),
  step("POST", tokenPath, (uids) => token(uids, "p1", ["for-others"]), node),
  step("POST", tokenPath, (uids) => token(uids, "p1"), node),
  step("POST", tokenPath, (uids) => token(uids, "p3", ["x"]), node),
  step("PATCH", `${inPlain}/serviceaccounts/robot`, { metadata: { labels: { a: "b" } } }, node),
  step("POST", "/apis/coordination.k8s.io/v1/namespaces/plain/leases", named("n1"), node),
  step("POST", "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases", named("n2"), node),
  step("POST", "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases", named("n1"), node),
  step("DELETE", "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1", undefined, node),
  step("POST", "/apis/storage.k8s.io/v1/csinodes", { ...named("n2"), spec: { drivers: [] } }, node),
  step("POST", "/apis/storage.k8s.io/v1/csinodes", { ...named("n1"), spec: { drivers: [] } }, node),
  step(
    "POST",
    "/apis/resource.k8s.io/v1/resourceslices",
    { ...named("s1"), spec: { driver: "d.example.com", nodeName: "n2", pool: { name: "p", resourceSliceCount: 1, generation: 1 } } },
    node,
  ),
  step(
    "POST",
    "/apis/resource.k8s.io/v1/resourceslices",
    { ...named("s1"), spec: { driver: "d.example.com", nodeName: "n1", pool: { name: "p", resourceSliceCount: 1, generation: 1 } } },
    node,
  ),
  step("POST", csrs, csr("n1", "kubernetes.io/kubelet-serving", nodeRequest), "node n2"),
  step("POST", csrs, csr("n1", "kubernetes.io/kube-apiserver-client-kubelet", nodeRequest), node),
  step("POST", csrs, csr("n2", "example.com/s", userRequest), node),
  step("POST", csrs, csr("n3", "kubernetes.io/kubelet-serving", "bm90IFBFTQ=="), node),
  step("POST", `${inPlain}/configmaps`, named("by-node"), node),
];

const condition = (type: string): object => ({ status: { conditions: [{ type, status: "True", reason: "r", message: "m" }] } });
const certificates: readonly Step[] = [
  ...["none", "one", "domain"].flatMap((user) => [
    step("PATCH", `${csrs}/r1/approval?dryRun=All`, condition("Approved"), user),
    step("PATCH", `${csrs}/r2/approval?dryRun=All`, condition("Approved"), user),
    step("PATCH", `${csrs}/r1/status?dryRun=All`, condition("Failed"), user),
    step("PATCH", `${csrs}/r2/status?dryRun=All`, condition("Failed"), user),
    step("PATCH", `${csrs}/r2/status?dryRun=All`, { metadata: { labels: { a: "b" } } }, user),
  ]),
  step("POST", csrs, csr("r3", "kubernetes.io/kube-apiserver-client", mastersRequest), "none"),
];

const ownedBy = (apiVersion: string, kind: string, name: string, extra: object = {}): object => ({
  metadata: { ownerReferences: [{ apiVersion, kind, name, uid: `uid-of-${name}`, ...extra }] },
});
const blocking = { blockOwnerDeletion: true };
const owners: readonly Step[] = [
  step("PATCH", `${inPlain}/configmaps/theirs`, ownedBy("v1", "Pod", "a"), "owner"),
  step("PATCH", `${inPlain}/configmaps/mine`, ownedBy("v1", "Pod", "a"), "owner"),
  step("PATCH", `${inPlain}/configmaps/mine`, ownedBy("v1", "Pod", "a", blocking), "owner"),
  step("PATCH", `${inPlain}/configmaps/mine`, ownedBy("apps/v1", "Deployment", "d1", blocking), "owner"),
  step("PATCH", `${inPlain}/configmaps/mine`, ownedBy("apps/v1", "Deployment", "d2", blocking), "owner"),
  step("PATCH", `${inPlain}/configmaps/mine`, ownedBy("example.com/v1", "Thing", "t", blocking), "owner"),
  step("PATCH", `${inPlain}/configmaps/mine`, { metadata: { labels: { a: "b" } } }, "owner"),
  step("PATCH", `${inPlain}/configmaps/mine`, ownedBy("example.com/v1", "Thing", "t", blocking)),
  step(
    "POST",
    `${inPlain}/configmaps`,
    named("new", { ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "n", uid: "u", ...blocking }] }),
    "owner",
  ),
];

const antiAffinity = (topologyKey: string): object => ({
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: {} }] } },
});
const others: readonly Step[] = [
  step("POST", `${inPlain}/pods`, pod("a1", antiAffinity("zone"))),
  step("POST", `${inPlain}/pods`, pod("a2", antiAffinity("kubernetes.io/hostname"))),
  step("POST", `${inPlain}/pods`, { ...pod("x", antiAffinity("zone")), metadata: { generateName: "x-" } }),
  step(
    "POST",
    `${inPlain}/pods`,
    pod("b1", {
      containers: [container({ imagePullPolicy: "Never" })],
      initContainers: [container({ name: "i", imagePullPolicy: "IfNotPresent" })],
      volumes: [{ name: "v", image: { reference: "example.com/v:1", pullPolicy: "Never" } }],
    }),
  ),
  step(
    "POST",
    `${inPlain}/pods`,
    pod("c1", {
      containers: [container({ resources: { limits: { "example.com/gpu": "1", "a.example.com/b": "2", cpu: "1" } } })],
      tolerations: [{ key: "example.com/gpu", operator: "Exists", effect: "NoSchedule", tolerationSeconds: undefined }],
    }),
  ),
  step("POST", "/api/v1/namespaces/placed/pods", pod("a")),
  step("POST", "/api/v1/namespaces/placed/pods", pod("b", { nodeSelector: { zone: "a", more: "x" } })),
  step("POST", "/api/v1/namespaces/placed/pods", pod("c", { nodeSelector: { zone: "b" } })),
  ...[0, 1, 2, 3].map((index) => step("POST", `/api/v1/namespaces/bad-${index}/pods`, pod("a"))),
  step("POST", "/api/v1/namespaces/tolerant/pods", pod("a")),
  step("POST", "/api/v1/namespaces/tolerant/pods", pod("b", { tolerations: [{ key: "a", operator: "Exists" }] })),
  step("POST", "/api/v1/namespaces/tolerant/pods", pod("c", { tolerations: [{ key: "z", operator: "Exists" }] })),
  step("POST", "/api/v1/namespaces/tolerant/pods", pod("d", { containers: [container({ resources: { requests: { cpu: "1" } } })] })),
  ...badTolerations.map((_, index) => step("POST", `/api/v1/namespaces/odd-${index}/pods`, pod("a"))),
  step("PATCH", "/api/v1/namespaces/tolerant/pods/a", { metadata: { labels: { a: "b" } } }),
  step("POST", `${inPlain}/services`, { ...named("s1"), spec: { ports: [{ port: 80 }], externalIPs: ["1.2.3.4"] } }),
  step("POST", `${inPlain}/services`, { ...named("s2"), spec: { ports: [{ port: 80 }] } }),
  step("PATCH", `${inPlain}/services/s2`, { spec: { externalIPs: ["1.2.3.4"] } }),
  step("POST", "/api/v1/namespaces/made/configmaps", named("a")),
  step("GET", "/api/v1/namespaces/made"),
  step("POST", "/api/v1/namespaces/unmade/configmaps?dryRun=All", named("a")),
  step("POST", "/api/v1/namespaces/Bad_Name/configmaps", named("a")),
];

interface Answered {
  readonly text: string;
  readonly status: number;
}

async function play(
  send: Send,
  uids: Map<string, string>,
  { user, method, path, body, type = "application/json" }: Step,
): Promise<Answered> {
  const [, nodeName] = /^node (.+)$/.exec(user ?? "") ?? [];
  const as =
    nodeName === undefined
      ? user === undefined
        ? {}
        : { "impersonate-user": user }
      : { "impersonate-user": `system:node:${nodeName}`, "impersonate-group": "system:nodes" };
  const headers = { "content-type": type, accept: "application/json", "user-agent": "test", ...as };
  const answer = await send({ method, path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body(uids)) }) });
  const { metadata = {}, spec, status, ...rest } = JSON.parse(answer.body) as Readonly<Record<string, Part>>;
  const { managedFields: _fields, resourceVersion: _version, ...meta } = metadata;
  const { name, uid } = metadata;
  if (typeof uid === "string" && typeof name === "string") uids.set(name, uid);
  const shown = { ...rest, metadata: meta, spec, status };
  return { status: answer.status, text: masked(`${answer.status} ${JSON.stringify(sorted(shown))}`) };
}

type Part = Readonly<Record<string, unknown>> | undefined;

/** Leaves out what two servers cannot have in common: tokens, and who set everything up. */
const hidden: ReadonlySet<string> = new Set(["token", "username", "groups", "clusterIP", "clusterIPs", "expirationSeconds"]);

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !hidden.has(key) && key !== "uid");
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, part]) => [key, sorted(part)]));
}

const masked = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uid>")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "<time>")
    .replaceAll(/\bx-[a-z0-9]{5}\b/g, "x-<random>");

describe("admission plug-ins that are off by default or ask who the user is", () => {
  let real: RealServer;
  let ours: Send;
  const uids = { ours: new Map<string, string>(), real: new Map<string, string>() };
  beforeAll(async () => {
    if (realServerMissing !== undefined) return;
    real = await startRealServer({ flags: [`--enable-admission-plugins=${plugins.join(",")}`] });
    const server = await createApiServer({
      runtime: testRuntime(),
      host: nodeHost,
      authorizationModes: ["RBAC"],
      admissionPlugins: { enable: plugins },
      serviceCidr: "10.0.0.0/24",
    });
    ours = async ({ headers = {}, ...request }) => {
      const { status, body } = await server.handle({ ...request, headers });
      return { status, body: body as string };
    };
    for (const each of setUp) {
      expect((await play(ours, uids.ours, each)).text, each.path).toMatch(/^201 /);
      expect((await play(real.send, uids.real, each)).text, each.path).toMatch(/^201 /);
    }
  }, 90_000);
  afterAll(() => (realServerMissing === undefined ? real.stop() : undefined), 30_000);

  it.for([
    ["nodes", byNodes],
    ["signers of certificates", certificates],
    ["owners", owners],
    ["everybody", others],
  ] as const)("answer %s alike", { timeout: 180_000 }, async ([, steps], ctx) => {
    if (realServerMissing !== undefined) ctx.skip(realServerMissing);
    const [ourAnswers, theirAnswers]: [string[], string[]] = [[], []];
    for (const each of steps) {
      const title = `${each.user ?? ""} ${each.method} ${each.path} ${JSON.stringify(each.body?.(new Map()))}`;
      const mine = await play(ours, uids.ours, each);
      let theirs = await play(real.send, uids.real, each);
      // The real server decides by caches, which may not know the latest write yet.
      for (let wait = 0; wait < 20 && theirs.text !== mine.text && theirs.status >= 400; wait++) {
        await new Promise((resolve) => void setTimeout(resolve, 100));
        theirs = await play(real.send, uids.real, each);
      }
      ourAnswers.push(`${title}\n${mine.text}`);
      theirAnswers.push(`${title}\n${theirs.text}`);
    }
    expect(ourAnswers).toEqual(theirAnswers);
  });
});
