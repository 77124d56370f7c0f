/** Authentication and authorization: credentials, reviews, tokens. */
import type { JsonValue } from "@drover/machinery";
import { isJsonObject } from "@drover/machinery";
import { textAt, valueAt } from "../exchange.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";

const authorization = "/apis/authorization.k8s.io/v1";
const authentication = "/apis/authentication.k8s.io/v1";

/** The claims of a token without its times and id. */
function claims(token: string): JsonValue {
  const body = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8")) as JsonValue;
  if (!isJsonObject(body)) return null;
  const { iat, exp, nbf, jti: _jti, iss: _iss, aud: _aud, ...others } = body;
  return { lifetime: Number(exp) - Number(iat), startsNow: iat === nbf, ...others };
}

export const access: Chapter = {
  name: "access",
  probes: [
    probe("P229 a token that is none is refused, also where others could have passed", async (s) => {
      for (const path of ["/api", "/healthz", s.in("configmaps"), "/apis/nope"])
        await s.get(path, { headers: { authorization: "Bearer nonsense" } });
      await s.get(s.in("configmaps"), { headers: { authorization: "" } });
      await s.post(s.in("configmaps"), {}, { headers: { authorization: "" } });
      await s.get(s.in("configmaps"), { headers: { authorization: "Basic YTpi" } });
    }),
    probe("P232 reviews of access are answered", async (s) => {
      await s.post(`${authorization}/selfsubjectaccessreviews`, {
        spec: { resourceAttributes: { verb: "get", resource: "pods", namespace: "default" } },
      });
      await s.post(`${authorization}/selfsubjectaccessreviews`, { spec: { nonResourceAttributes: { verb: "get", path: "/healthz" } } });
      await s.post(`${authorization}/subjectaccessreviews`, {
        spec: { user: "alice", groups: ["dev"], resourceAttributes: { verb: "delete", resource: "nodes" } },
      });
      await s.post(`${authorization}/namespaces/${s.namespace}/localsubjectaccessreviews`, {
        spec: { user: "alice", resourceAttributes: { verb: "get", resource: "pods", namespace: s.namespace } },
      });
    }),
    probe("P232b reviews that make no sense are refused", async (s) => {
      await s.post(`${authorization}/selfsubjectaccessreviews`, { spec: {} });
      await s.post(`${authorization}/subjectaccessreviews`, { spec: { resourceAttributes: { verb: "get", resource: "pods" } } });
      await s.post(`${authorization}/subjectaccessreviews`, {
        spec: { user: "a", resourceAttributes: { verb: "get" }, nonResourceAttributes: { path: "/", verb: "get" } },
      });
      await s.post(`${authorization}/namespaces/${s.namespace}/localsubjectaccessreviews`, {
        spec: { user: "alice", resourceAttributes: { verb: "get", resource: "pods", namespace: "other" } },
      });
      await s.get(`${authorization}/selfsubjectaccessreviews`);
      await s.get(`${authorization}/selfsubjectaccessreviews/a`);
    }),
    probe("P232c the review of one's own rules", async (s) => {
      await s.post(
        `${authorization}/selfsubjectrulesreviews`,
        { spec: { namespace: s.namespace } },
        { view: (body) => valueAt({ body }, "status", "incomplete") ?? null },
      );
      await s.post(`${authorization}/selfsubjectrulesreviews`, { spec: {} });
    }),
    probe("P232d the review of oneself", async (s) => {
      await s.post(
        `${authentication}/selfsubjectreviews`,
        {},
        { view: (body) => [valueAt({ body }, "kind") ?? null, valueAt({ body }, "status", "userInfo", "groups") ?? null] },
      );
      await s.post(`${authentication}/selfsubjectreviews?dryRun=All`, {}, { view: (body) => valueAt({ body }, "kind") ?? null });
    }),
    probe("P233 a review of a token that is none", async (s) => {
      await s.post(`${authentication}/tokenreviews`, { spec: { token: "nonsense" } });
      await s.post(`${authentication}/tokenreviews`, { spec: {} });
    }),
    probe("P234 a token for a service account, and who it is", async (s) => {
      await s.post(s.in("serviceaccounts"), { metadata: { name: "robot" } });
      const request = await s.post(
        s.in("serviceaccounts", "robot", "token"),
        { spec: { expirationSeconds: 1200 } },
        {
          view: (body) => [
            valueAt({ body }, "kind") ?? null,
            valueAt({ body }, "metadata", "name") ?? null,
            valueAt({ body }, "spec", "expirationSeconds") ?? null,
          ],
        },
      );
      s.fact("claims", claims(textAt(request, "status", "token")));
      const user = (body: JsonValue): JsonValue => [
        valueAt({ body }, "status", "authenticated") ?? null,
        valueAt({ body }, "status", "user", "username") ?? null,
        valueAt({ body }, "status", "user", "groups") ?? null,
      ];
      await s.post(`${authentication}/tokenreviews`, { spec: { token: textAt(request, "status", "token") } }, { view: user });
      await s.post(
        `${authentication}/selfsubjectreviews`,
        {},
        {
          headers: { authorization: `Bearer ${textAt(request, "status", "token")}` },
          view: (body) => valueAt({ body }, "status", "userInfo", "username") ?? null,
        },
      );
    }),
    probe("P234b tokens that are refused", async (s) => {
      await s.post(s.in("serviceaccounts"), { metadata: { name: "robot" } }, { view: () => null });
      await s.post(s.in("serviceaccounts", "robot", "token"), { spec: { expirationSeconds: 60 } });
      await s.post(s.in("serviceaccounts", "nobody", "token"), { spec: {} });
      await s.post(s.in("serviceaccounts", "robot", "token"), {
        spec: { boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "none" } },
      });
      await s.post(s.in("serviceaccounts", "robot", "token"), {
        spec: { boundObjectRef: { kind: "ConfigMap", apiVersion: "v1", name: "none" } },
      });
      await s.post(s.in("serviceaccounts", "robot", "token"), { metadata: { name: "other" }, spec: {} });
      await s.get(s.in("serviceaccounts", "robot", "token"));
    }),
    probe("P235 acting as somebody else", async (s) => {
      const user = (body: JsonValue): JsonValue => [
        valueAt({ body }, "status", "userInfo", "username") ?? null,
        valueAt({ body }, "status", "userInfo", "groups") ?? null,
        valueAt({ body }, "status", "userInfo", "extra", "scopes") ?? null,
      ];
      await s.post(
        `${authentication}/selfsubjectreviews`,
        {},
        { headers: { "impersonate-user": "alice", "impersonate-group": ["dev", "ops"], "impersonate-extra-scopes": "view" }, view: user },
      );
      await s.post(
        `${authentication}/selfsubjectreviews`,
        {},
        { headers: { "impersonate-user": `system:serviceaccount:${s.namespace}:robot` }, view: user },
      );
      await s.post(`${authentication}/selfsubjectreviews`, {}, { headers: { "impersonate-group": "dev" } });
    }),
    probe("P970 the rules of members of system:masters and of others", async (s) => {
      for (const group of ["system:masters", "dev"])
        await s.post(
          `${authorization}/selfsubjectrulesreviews`,
          { spec: { namespace: s.namespace } },
          { headers: { "impersonate-user": "alice", "impersonate-group": group }, view: (body) => valueAt({ body }, "status") ?? null },
        );
    }),
    probe("P971 the order of the claims of bound tokens", async (s) => {
      const quiet = { view: (): JsonValue => null };
      await s.post(s.in("serviceaccounts"), { metadata: { name: "robot" } }, quiet);
      await s.post(s.in("secrets"), { metadata: { name: "key" } }, quiet);
      await s.post(
        s.in("pods"),
        { metadata: { name: "web" }, spec: { serviceAccountName: "robot", containers: [{ name: "web", image: "web" }] } },
        quiet,
      );
      for (const [kind, name] of [
        ["Secret", "key"],
        ["Pod", "web"],
      ] as const) {
        const spec = { boundObjectRef: { apiVersion: "v1", kind, name } };
        const answer = await s.post(s.in("serviceaccounts", "robot", "token"), { spec }, quiet);
        const payload = Buffer.from(textAt(answer, "status", "token").split(".")[1] ?? "", "base64url").toString("utf8");
        const own = valueAt({ body: JSON.parse(payload) as JsonValue }, "kubernetes.io");
        s.fact(`order of claims bound to a ${kind}`, isJsonObject(own) ? Object.keys(own).join(" ") : null);
      }
    }),
  ],
};
