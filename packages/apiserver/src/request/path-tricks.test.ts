import type { JsonObject } from "@drover/machinery";
import { beforeAll, describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";
import type { TestServer } from "../testing/test-server.ts";

const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/shop";
const mallory = { authorization: "Bearer mallory" };
const map = "/api/v1/namespaces/shop/configmaps/own";

/** What Mallory may not do, under its canonical path. */
const forbidden: readonly (readonly [method: string, path: string])[] = [
  ["GET", "/api/v1/secrets"],
  ["GET", "/api/v1/namespaces/shop/secrets"],
  ["GET", "/api/v1/namespaces/shop/secrets/canary"],
  ["GET", "/api/v1/namespaces/kube-system/configmaps"],
  ["GET", "/api/v1/namespaces/shop/configmaps"],
  ["GET", "/api/v1/namespaces/shop/configmaps?watch=true&timeoutSeconds=1"],
  ["GET", "/api/v1/watch/namespaces/shop/configmaps"],
  ["GET", "/api/v1/namespaces/shop/configmaps/other"],
  ["DELETE", map],
  ["DELETE", "/api/v1/namespaces/shop/configmaps"],
  ["POST", "/api/v1/namespaces/shop/configmaps"],
  ["PUT", map],
  ["PATCH", map],
  ["GET", "/api/v1/namespaces/shop/pods/web/log"],
  ["POST", "/api/v1/namespaces/shop/pods/web/eviction"],
  ["POST", "/api/v1/namespaces/shop/serviceaccounts/default/token"],
  ["GET", "/metrics"],
];

/** Ways to write a path that a router and an authorizer could read differently. */
const tricks: Readonly<Record<string, (path: string) => string>> = {
  "as it is": (path) => path,
  "doubled slashes": (path) => path.replaceAll("/", "//"),
  "a doubled slash in front": (path) => `/${path}`,
  "a slash at the end": (path) => path.replace(/(?=\?|$)/, "/"),
  "single dots": (path) => path.replaceAll("/", "/./"),
  "a way through what is allowed": (path) => `${map}/../../../../../..${path}`,
  "a way through health": (path) => `/healthz/..${path}`,
  "escaped double dots": (path) => `${map}/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e${path}`,
  "double dots that are escaped twice": (path) => `/healthz/%252e%252e${path}`,
  "escaped slashes": (path) => `/${path.slice(1).replaceAll("/", "%2f")}`,
  "escaped letters": (path) => path.replaceAll(/[a-z](?=[a-z]*(?:\?|$))/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  "upper case": (path) => path.toUpperCase(),
  "a parameter of a segment": (path) => path.replace(/(?=\?|$)/, ";a=b"),
  "a null byte": (path) => path.replace(/(?=\?|$)/, "%00"),
  "a line break": (path) => path.replace(/(?=\?|$)/, "%0d%0a"),
  "a fragment": (path) => `/healthz#${path}`,
  backslashes: (path) => path.replaceAll("/", "\\"),
  "overlong UTF-8": (path) => path.replaceAll("/", "%c0%af"),
  "the allowed path as a query": (path) => `${path}${path.includes("?") ? "&" : "?"}path=${map}`,
  "the allowed object as a subresource": (path) => path.replace(/(?=\?|$)/, "/configmaps/own"),
};

describe("the authorization of a user who may get one ConfigMap", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await testServer({ authorizationModes: ["RBAC"], tokens: [{ token: "mallory", user: { name: "mallory", groups: [] } }] });
    const objects: readonly (readonly [path: string, body: JsonObject])[] = [
      ["/api/v1/namespaces", { metadata: { name: "shop" } }],
      ["/api/v1/namespaces/shop/configmaps", { metadata: { name: "own" } }],
      ["/api/v1/namespaces/shop/configmaps", { metadata: { name: "other" }, data: { k: "canary" } }],
      ["/api/v1/namespaces/shop/secrets", { metadata: { name: "canary" }, stringData: { k: "canary" } }],
      ["/api/v1/namespaces/shop/pods", { metadata: { name: "web" }, spec: { containers: [{ name: "c", image: "i" }] } }],
      [
        `${roles}/roles`,
        { metadata: { name: "own" }, rules: [{ apiGroups: [""], resources: ["configmaps"], resourceNames: ["own"], verbs: ["get"] }] },
      ],
      [`${roles}/roles`, { metadata: { name: "pods" }, rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["*"] }] }],
      ...["own", "pods"].map((name): readonly [string, JsonObject] => [
        `${roles}/rolebindings`,
        {
          metadata: { name },
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
          subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "mallory" }],
        },
      ]),
    ];
    for (const [path, body] of objects) expect((await server.call("POST", path, body)).status, path).toBe(201);
  });

  it("allows exactly that, and pods without their subresources (X19, S4)", async () => {
    expect((await server.call("GET", map, undefined, mallory)).status).toBe(200);
    expect((await server.call("GET", "/api/v1/namespaces/shop/pods/web", undefined, mallory)).status).toBe(200);
    expect((await server.call("GET", "/api/v1/namespaces/shop/pods", undefined, mallory)).status).toBe(200);
  });

  it.each(Object.entries(tricks))("refuses everything else when its path has %s (X19, S4)", async (_name, trick) => {
    const before = await server.store.revision();
    for (const [method, path] of forbidden) {
      const tricked = trick(path);
      const body = method === "GET" ? undefined : { metadata: { name: "own" } };
      const { status, text } = await server.call(method, tricked, body, {
        ...mallory,
        "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json",
      });
      const what = `${method} ${tricked}`;
      // A fragment or an unknown path below a public endpoint says nothing about any object.
      if (status < 300) expect([what, text], what).toEqual([what, "ok"]);
      else expect([400, 403, 404, 405, 415], `${what}: ${status}`).toContain(status);
      expect(text, what).not.toContain('canary"}');
    }
    expect(await server.store.revision()).toBe(before);
  });
});
