/** The audit log: the same requests to a real server and to ours, both with the same policy and in mode RBAC. */
import { readFileSync } from "node:fs";
import { createApiServer } from "@drover/apiserver";
import type { AuditRecord, AuditRule, Peer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { nodeRuntime } from "drover";
import { expect, it } from "vitest";
import { realServerMissing, startRealServer } from "../servers/real-server.ts";

interface Step {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const maps = "/api/v1/namespaces/audited/configmaps";
const pods = "/api/v1/namespaces/audited/pods";
const pod = { metadata: { name: "web", labels: { a: "<b>" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const json = (method: string, path: string, body: object, headers: Step["headers"] = {}): Step => ({
  method,
  path,
  body: JSON.stringify(body),
  headers: { "content-type": "application/json", ...headers },
});
const get = (path: string, headers: Step["headers"] = {}): Step => ({ method: "GET", path, headers });
const patch = (path: string, type: string, body: string): Step => ({
  method: "PATCH",
  path,
  headers: { "content-type": `application/${type}` },
  body,
});

const steps: readonly Step[] = [
  json("POST", "/api/v1/namespaces", { metadata: { name: "audited" } }),
  json("POST", maps, { metadata: { name: "a" }, data: { x: "1" } }),
  json("POST", maps, { metadata: { name: "a" } }),
  json("POST", `${maps}?fieldValidation=Strict`, { metadata: { name: "b" }, spec: {} }),
  json("POST", maps, { metadata: { generateName: "g-", resourceVersion: "7" } }),
  get(`${maps}/a`),
  get(`${maps}/nope`),
  get(maps, { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" }),
  get(`${maps}?limit=1`, { accept: "application/vnd.kubernetes.protobuf" }),
  get(maps, { accept: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io" }),
  json("PUT", `${maps}/a`, { metadata: { name: "a" }, data: { x: "2" } }),
  json("PUT", `${maps}/a`, { metadata: { name: "a", resourceVersion: "1" }, data: { x: "3" } }),
  patch(`${maps}/a`, "merge-patch+json", '{ "data": {\n "y": "<&>" } }'),
  patch(`${maps}/a`, "json-patch+json", '[{"op":"add","path":"/data/z","value":"1"}]'),
  patch(
    `${maps}/a?fieldManager=x&force=true`,
    "apply-patch+yaml",
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"q":"1"}}',
  ),
  patch(`${maps}/a`, "strategic-merge-patch+json", '{"data":{"x":null}}'),
  json("POST", pods, pod),
  json("PUT", `${pods}/web/status`, { metadata: { name: "web" }, status: { phase: "Running" } }),
  json("POST", `${pods}/web/eviction`, { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "web", namespace: "audited" } }),
  get(`${pods}/web/log`),
  get("/api/v1/namespaces/audited/endpoints"),
  json("POST", "/apis/apps/v1/namespaces/audited/deployments", {
    metadata: { name: "d" },
    spec: { selector: { matchLabels: { a: "b" } }, template: { metadata: { labels: { a: "b" } }, spec: pod.spec } },
  }),
  get("/apis/apps/v1/namespaces/audited/deployments/d/scale"),
  patch("/apis/apps/v1/namespaces/audited/deployments/d/scale", "merge-patch+json", '{"spec":{"replicas":3}}'),
  json("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", { spec: { nonResourceAttributes: { verb: "get", path: "/" } } }),
  json("DELETE", `${maps}/a`, { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy: "Background" }),
  { method: "DELETE", path: `${pods}/web?gracePeriodSeconds=0` },
  json("DELETE", maps, { propagationPolicy: "Background" }),
  get(`${maps}?watch=true&timeoutSeconds=1&resourceVersion=0`),
  get(`${maps}?watch=true&timeoutSeconds=1&labelSelector=!!`),
  get("/version"),
  get("/healthz"),
  get("/api"),
  get("/apis/apps/v1"),
  get("/nope"),
  get("/apis/nope.example.com/v1/things"),
  get("/api/v1/nopes"),
  json("POST", "/api/v1/namespaces/audited/configmaps?timeout=nope", { metadata: { name: "t" } }),
  get(maps, { "impersonate-user": "alice", "impersonate-group": "dev" }),
  get("/version", { "impersonate-user": "system:serviceaccount:audited:robot" }),
  get("/metrics", { "impersonate-user": "alice" }),
  get(maps, { "impersonate-group": "dev" }),
  get(maps, { authorization: "Bearer wrong" }),
  get(maps, { "x-forwarded-for": "10.1.1.1, 10.1.1.2", "x-real-ip": "10.1.1.3", "user-agent": "a".repeat(1100) }),
  json("POST", "/apis/nothing/v1/namespaces/audited/things", { metadata: { name: "x" } }),
  { method: "OPTIONS", path: maps },
  { method: "HEAD", path: `${maps}/a` },
];

const rules: readonly AuditRule[] = [
  { level: "None", nonResourceURLs: ["/healthz*"] },
  { level: "RequestResponse", omitManagedFields: true, namespaces: ["audited"] },
  { level: "Request", resources: [{ group: "" }] },
  { level: "RequestResponse" },
];

type Event = Readonly<Record<string, unknown>> & { readonly auditID: string };

/** The events of each step, without what differs between any two servers. */
function masked(lines: readonly string[]): Readonly<Record<string, readonly unknown[]>> {
  const events = lines
    .filter((line) => line.includes('"auditID":"step-'))
    .map((line) =>
      line
        .replaceAll(
          /"(uid|resourceVersion|creationTimestamp|time|requestReceivedTimestamp|stageTimestamp|lastTransitionTime)":"[^"]*"/g,
          '"$1":"*"',
        )
        .replaceAll(/"g-[a-z0-9]{5}"/g, '"g-*"')
        .replaceAll(/"serverAddress":"[^"]*"/g, '"serverAddress":"*"')
        // Of several bindings that allow a request, the real server names any.
        .replaceAll(/RBAC: allowed by [^}]*/g, 'RBAC: allowed"')
        // Descriptions of columns are our own words.
        .replaceAll(/"description":"(?:[^"\\]|\\.)*",?/g, ""),
    )
    .map((line) => JSON.parse(line) as Event);
  return Object.fromEntries(
    steps.map(({ method, path }, index) => [`${index} ${method} ${path}`, events.filter(({ auditID }) => auditID === `step-${index}`)]),
  );
}

it("has the events of a real server for the same requests", async (ctx) => {
  if (realServerMissing !== undefined) ctx.skip(realServerMissing);
  const real = await startRealServer({ audit: rules, auditOmits: [] });
  try {
    const records: AuditRecord[] = [];
    const ours = await createApiServer({
      runtime: nodeRuntime({ write: () => undefined }),
      host: nodeHost,
      authorizationModes: ["RBAC"],
      anonymous: true,
      serviceCidr: "10.0.0.0/24",
      tokens: [{ token: "admin", user: { name: "admin", uid: "admin", groups: ["system:masters"] } }],
      audit: { policy: { rules }, sink: { write: (more) => void records.push(...more) } },
    });
    const peer: Peer = { inProcess: false, encrypted: true, remoteAddress: "127.0.0.1" };
    const transport = ours.connection(peer);
    for (const [index, step] of steps.entries()) {
      const headers = { "user-agent": "conformance", "audit-id": `step-${index}`, ...step.headers };
      const answer = await real.send({ ...step, headers });
      const { status, body } = await transport({ ...step, headers: { authorization: "Bearer admin", ...headers } });
      const pieces: unknown[] = [];
      if (typeof body !== "string" && !(body instanceof Uint8Array)) for await (const piece of body) pieces.push(piece);
      expect([step.path, status]).toEqual([step.path, answer.status]);
    }
    await ours.flushAudit();
    const wanted = masked(readFileSync(real.auditLog ?? "", "utf8").split("\n"));
    expect(masked(records.map(({ line }) => line))).toEqual(wanted);
  } finally {
    await real.stop();
  }
}, 120_000);
