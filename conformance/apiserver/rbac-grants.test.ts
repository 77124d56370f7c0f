/** Users who grant what they do or do not hold: the same requests to a real server and to ours, both in mode RBAC. */
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { testRuntime } from "@drover/machinery/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { realServerMissing, startRealServer } from "../servers/real-server.ts";
import type { RealRequest, RealServer } from "../servers/real-server.ts";

const base = "/apis/rbac.authorization.k8s.io/v1";
const inShop = `${base}/namespaces/shop`;
const apiGroup = "rbac.authorization.k8s.io";

type Rule = Readonly<Record<string, readonly string[]>>;
type Send = (request: RealRequest) => Promise<{ readonly status: number; readonly body: string }>;

const rule = (resources: string, verbs: string, more: Rule = {}): Rule => ({
  apiGroups: [""],
  resources: resources.split(" "),
  verbs: verbs.split(" "),
  ...more,
});
const anyRole: Rule = {
  apiGroups: [apiGroup],
  resources: ["roles", "clusterroles", "rolebindings", "clusterrolebindings"],
  verbs: ["create", "update", "patch", "get"],
};
const role = (name: string, ...rules: readonly Rule[]): object => ({ metadata: { name }, rules });
const binding = (name: string, kind: string, to: string, ...users: readonly string[]): object => ({
  metadata: { name },
  roleRef: { apiGroup, kind, name: to },
  subjects: users.map((user) => ({ apiGroup, kind: "User", name: user })),
});

interface Step {
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly type?: string;
}

const post = (user: string, path: string, body: object): Step => ({ user, method: "POST", path, body });
const put = (user: string, path: string, body: object): Step => ({ user, method: "PUT", path, body });
const patch = (user: string, path: string, body: object): Step => ({
  user,
  method: "PATCH",
  path,
  body,
  type: "application/merge-patch+json",
});

/** As administrator. */
const setUp: readonly Step[] = [
  { method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: "shop" } } },
  { method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: "other" } } },
  ...[
    role("granter", anyRole, rule("pods pods/log", "get list"), rule("configmaps", "get", { resourceNames: ["a", "b"] }), {
      verbs: ["get"],
      nonResourceURLs: ["/api/*", "/healthz"],
    }),
    role("escalator", { apiGroups: [apiGroup], resources: ["*"], verbs: ["create", "update", "patch", "escalate"] }),
    role("named-escalator", anyRole, { apiGroups: [apiGroup], resources: ["clusterroles"], resourceNames: ["mine"], verbs: ["escalate"] }),
    role("binder", anyRole, { apiGroups: [apiGroup], resources: ["clusterroles"], resourceNames: ["secret-reader"], verbs: ["bind"] }),
    role("secret-reader", rule("secrets", "get list")),
    role("pod-reader", rule("pods", "get")),
    role("star", rule("*", "*", { apiGroups: ["*"] }), { verbs: ["*"], nonResourceURLs: ["*"] }),
    role("sub", anyRole, rule("*/scale", "get", { apiGroups: ["*"] })),
    role("kept", rule("secrets", "get")),
    { ...role("whole"), aggregationRule: { clusterRoleSelectors: [{ matchLabels: { to: "whole" } }] } },
  ].map((body): Step => ({ method: "POST", path: `${base}/clusterroles`, body })),
  ...["granter", "escalator", "named-escalator", "binder", "star", "sub"].map((name): Step => ({
    method: "POST",
    path: `${base}/clusterrolebindings`,
    body: binding(name, "ClusterRole", name, name),
  })),
  { method: "POST", path: `${base}/clusterrolebindings`, body: binding("lost", "ClusterRole", "gone", "lost") },
  { method: "POST", path: `${base}/clusterrolebindings`, body: binding("lost-granter", "ClusterRole", "granter", "lost") },
  ...["gone-a", "gone-b"].map((name): Step => ({
    method: "POST",
    path: `${base}/clusterrolebindings`,
    body: binding(name, "ClusterRole", name, "twice-lost"),
  })),
  { method: "POST", path: `${base}/clusterrolebindings`, body: binding("lost-twice", "ClusterRole", "granter", "twice-lost") },
  { method: "POST", path: `${inShop}/rolebindings`, body: binding("lost-role", "Role", "gone-role", "lost") },
  { method: "POST", path: `${inShop}/rolebindings`, body: binding("local", "ClusterRole", "granter", "local") },
  { method: "POST", path: `${inShop}/rolebindings`, body: binding("kept", "ClusterRole", "secret-reader", "nobody") },
  { method: "POST", path: `${inShop}/roles`, body: role("shop-secrets", rule("secrets", "get")) },
];

const steps: readonly Step[] = [
  post("granter", `${base}/clusterroles`, role("a1", rule("pods", "get"))),
  post("granter", `${base}/clusterroles`, role("a2", rule("pods", "get list delete watch"), rule("secrets", "get"))),
  post("granter", `${base}/clusterroles`, role("a3", rule("secrets pods/log pods", "list get"), rule("secrets", "delete list"))),
  post("granter", `${base}/clusterroles`, role("a4", rule("configmaps", "get", { resourceNames: ["a"] }))),
  post("granter", `${base}/clusterroles`, role("a5", rule("configmaps", "get list", { resourceNames: ["a", "c", "b"] }))),
  post("granter", `${base}/clusterroles`, role("a6", rule("configmaps", "get"))),
  post("granter", `${base}/clusterroles`, role("a7", { verbs: ["get"], nonResourceURLs: ["/api/v1/*", "/healthz", "/api/*"] })),
  post("granter", `${base}/clusterroles`, role("a8", { verbs: ["get", "post"], nonResourceURLs: ["/api/v1", "/healthz/x", "*"] })),
  post("granter", `${base}/clusterroles`, role("a9", rule("*", "*"))),
  post("granter", `${base}/clusterroles`, { metadata: { generateName: "a-" }, rules: [rule("secrets", "get")] }),
  post("granter", `${base}/clusterroles`, {
    metadata: { name: "b1" },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { to: "x" } }] },
  }),
  post("granter", `${base}/clusterroles`, { metadata: { name: "b2" }, aggregationRule: { clusterRoleSelectors: [] } }),
  post("star", `${base}/clusterroles`, {
    metadata: { name: "b3" },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { to: "x" } }] },
  }),
  post("granter", `${base}/clusterroles`, role("b4", { verbs: [], apiGroups: [""], resources: ["secrets"] })),
  post("granter", `${base}/clusterroles`, role("b5", { verbs: ["get"], apiGroups: ["", "apps"], resources: ['quo"te', "secrets"] })),
  put("granter", `${base}/clusterroles/put-new`, role("put-new", rule("secrets", "get"))),
  put("granter", `${base}/clusterroles/put-held`, role("put-held", rule("pods", "get"))),
  patch("granter", `${base}/clusterroles/kept`, { metadata: { labels: { a: "b" } } }),
  patch("granter", `${base}/clusterroles/kept`, { metadata: { finalizers: ["example.com/x"] } }),
  patch("granter", `${base}/clusterroles/kept`, { metadata: { finalizers: [] } }),
  patch("granter", `${base}/clusterroles/kept`, { rules: [rule("pods", "get")] }),
  patch("granter", `${base}/clusterroles/whole`, { metadata: { labels: { a: "b" } } }),
  patch("granter", `${base}/clusterroles/whole`, { aggregationRule: null }),
  patch("star", `${base}/clusterroles/whole`, { aggregationRule: null }),
  post("escalator", `${base}/clusterroles`, role("c1", rule("secrets", "get"))),
  post("escalator", `${base}/clusterrolebindings`, binding("c2", "ClusterRole", "secret-reader", "x")),
  post("named-escalator", `${base}/clusterroles`, role("mine", rule("secrets", "get"))),
  put("named-escalator", `${base}/clusterroles/mine`, role("mine", rule("secrets", "get"))),
  put("named-escalator", `${base}/clusterroles/other`, role("other", rule("secrets", "get"))),
  post("sub", `${base}/clusterroles`, role("d1", rule("deployments/scale pods/log", "get"))),
  post("binder", `${base}/clusterrolebindings`, binding("e1", "ClusterRole", "secret-reader", "x")),
  post("binder", `${base}/clusterrolebindings`, binding("e2", "ClusterRole", "kept", "x")),
  post("binder", `${inShop}/rolebindings`, binding("e3", "ClusterRole", "secret-reader", "x")),
  post("binder", `${inShop}/rolebindings`, binding("e4", "Role", "shop-secrets", "x")),
  post("granter", `${base}/clusterrolebindings`, binding("f1", "ClusterRole", "pod-reader", "x")),
  post("granter", `${base}/clusterrolebindings`, binding("f2", "ClusterRole", "secret-reader", "x")),
  post("granter", `${base}/clusterrolebindings`, binding("f3", "ClusterRole", "gone", "x")),
  post("granter", `${base}/clusterrolebindings`, binding("f4", "Role", "gone", "x")),
  post("granter", `${base}/clusterrolebindings`, binding("f5", "Foo", "gone", "x")),
  post("granter", `${inShop}/rolebindings`, binding("f6", "Role", "gone", "x")),
  post("granter", `${inShop}/rolebindings`, binding("f7", "Role", "shop-secrets", "x")),
  post("granter", `${inShop}/rolebindings`, { metadata: { name: "f8" }, subjects: [] }),
  post("granter", `${inShop}/rolebindings`, { metadata: { generateName: "f-" }, roleRef: { kind: "ClusterRole", name: "star" } }),
  post("star", `${inShop}/rolebindings`, binding("g1", "Role", "shop-secrets", "x")),
  post("star", `${inShop}/rolebindings`, binding("g2", "Role", "gone", "x")),
  patch("granter", `${inShop}/rolebindings/kept`, { subjects: [] }),
  patch("granter", `${inShop}/rolebindings/kept`, {
    metadata: { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "a", uid: "b" }] },
  }),
  put("granter", `${inShop}/rolebindings/kept`, binding("kept", "ClusterRole", "secret-reader", "nobody")),
  put("granter", `${inShop}/rolebindings/kept`, binding("kept", "ClusterRole", "pod-reader", "nobody")),
  post("local", `${inShop}/roles`, role("h1", rule("pods", "get"))),
  post("local", `${inShop}/roles`, role("h2", rule("secrets", "get"))),
  post("local", `${base}/namespaces/other/roles`, role("h3", rule("pods", "get"))),
  post("local", `${inShop}/rolebindings`, binding("h4", "ClusterRole", "pod-reader", "x")),
  post("lost", `${base}/clusterroles`, role("i1", rule("secrets", "get"))),
  post("lost", `${base}/clusterroles`, role("i2", rule("pods", "get"))),
  post("lost", `${inShop}/rolebindings`, binding("i3", "ClusterRole", "secret-reader", "x")),
  post("twice-lost", `${base}/clusterroles`, role("i4", rule("secrets", "get"))),
  { ...post("granter", `${base}/clusterroles`, role("j1", rule("secrets", "get"))), groups: ["dev", "ops team"] },
  { ...post("anybody", `${base}/clusterroles`, role("j2", rule("secrets", "get"))), groups: ["system:masters"] },
  post("nobody", `${base}/clusterroles`, role("j3", rule("pods", "get"))),
];

async function play(send: Send, { user, groups = [], method, path, body, type = "application/json" }: Step): Promise<string> {
  const as = user === undefined ? {} : { "impersonate-user": user };
  const answer = await send({
    method,
    path,
    // Several groups need one header each; a list is sent as such by both.
    headers: {
      "content-type": type,
      accept: "application/json",
      ...as,
      ...(groups.length === 0 ? {} : { "impersonate-group": groups as never }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { kind, message = "", reason = "", details } = JSON.parse(answer.body) as Readonly<Record<string, unknown>>;
  return kind === "Status" ? JSON.stringify([answer.status, message, reason, details ?? null]) : String(answer.status);
}

describe("grants by users in mode RBAC", () => {
  let real: RealServer;
  let ours: Send;
  beforeAll(async () => {
    if (realServerMissing !== undefined) return;
    real = await startRealServer();
    const server = await createApiServer({ runtime: testRuntime(), host: nodeHost, authorizationModes: ["RBAC"] });
    ours = async ({ headers = {}, ...request }) => {
      const { status, body } = await server.handle({ ...request, headers });
      return { status, body: body as string };
    };
    for (const step of setUp) {
      expect(await play(ours, step), step.path).toBe("201");
      expect(await play(real.send, step), step.path).toBe("201");
    }
  }, 90_000);
  afterAll(() => (realServerMissing === undefined ? real.stop() : undefined), 30_000);

  it("are answered alike, word for word", async (ctx) => {
    if (realServerMissing !== undefined) ctx.skip(realServerMissing);
    // The real server decides by caches, which know the last of these soon.
    for (const [user, path] of [
      ["lost", `${base}/clusterroles`],
      ["local", `${inShop}/roles`],
    ] as const)
      await expect
        .poll(() => play(real.send, post(user, `${path}?dryRun=All`, role("x", rule("pods", "get")))), { timeout: 10_000 })
        .toBe("201");
    const title = ({ user, method, path, body }: Step): string => `${user} ${method} ${path} ${JSON.stringify(body)}`;
    const [ourAnswers, theirAnswers]: [string[], string[]] = [[], []];
    for (const step of steps) {
      ourAnswers.push(`${title(step)}\n${await play(ours, step)}`);
      theirAnswers.push(`${title(step)}\n${await play(real.send, step)}`);
    }
    expect(ourAnswers).toEqual(theirAnswers);
    expect(theirAnswers.filter((answer) => answer.includes("not currently held")).length).toBeGreaterThan(15);
  });
});
