/** Service account tokens: requests, what they are bound to, audiences, reviews, and the issuer. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { isJsonObject } from "@drover/machinery";
import { textAt, uidOf, valueAt } from "../exchange.ts";
import type { Answer } from "../exchange.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";
import { container, pod } from "../probe-objects.ts";
import type { ProbeSession } from "../session.ts";

const reviews = "/apis/authentication.k8s.io/v1/tokenreviews";
const selfReviews = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

/** The claims of a token, with its lifetime instead of its times; ids and issuers differ between servers. */
function claims(token: string, { withAudiences = false } = {}): JsonValue {
  const body = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8")) as JsonValue;
  if (!isJsonObject(body)) return null;
  const { iat, exp, nbf, jti, iss: _iss, aud, "kubernetes.io": own, ...others } = body;
  const { warnafter, ...objects } = isJsonObject(own) ? own : {};
  return {
    lifetime: Number(exp) - Number(iat),
    startsNow: iat === nbf,
    hasId: typeof jti === "string",
    objects,
    ...(warnafter === undefined ? {} : { warnAfter: Number(warnafter) - Number(iat) }),
    ...(withAudiences ? { aud: aud ?? null } : {}),
    ...others,
  };
}

const quiet = { view: (): JsonValue => null };
const message = { view: (body: JsonValue): JsonValue => valueAt({ body }, "message") ?? valueAt({ body }, "kind") ?? null };

const robot = (s: ProbeSession): Promise<Answer> => s.post(s.in("serviceaccounts"), { metadata: { name: "robot" } }, quiet);

async function tokenOf(s: ProbeSession, spec: JsonObject): Promise<string> {
  const answer = await s.post(s.in("serviceaccounts", "robot", "token"), { spec }, { view: (body) => valueAt({ body }, "kind") ?? null });
  return textAt(answer, "status", "token");
}

/** What a review says of a token; audiences of the server itself differ between servers. */
const reviewed = (body: JsonValue): JsonValue => ({
  authenticated: valueAt({ body }, "status", "authenticated") ?? null,
  error: valueAt({ body }, "status", "error") ?? null,
  user: valueAt({ body }, "status", "user", "username") ?? null,
  extra: Object.keys((valueAt({ body }, "status", "user", "extra") ?? {}) as JsonObject).toSorted(),
});
const withAudiences = (body: JsonValue): JsonValue => [reviewed(body), valueAt({ body }, "status", "audiences") ?? null];

export const tokens: Chapter = {
  name: "tokens",
  probes: [
    probe("P701 a token request is answered with its metadata", async (s) => {
      await robot(s);
      const withoutToken = (body: JsonValue): JsonValue => {
        if (!isJsonObject(body)) return body;
        const { status, spec, ...others } = body;
        const { audiences: _audiences, ...rest } = isJsonObject(spec) ? spec : {};
        return { ...others, spec: rest, status: Object.keys(isJsonObject(status) ? status : {}) };
      };
      await s.post(s.in("serviceaccounts", "robot", "token"), { spec: {} }, { view: withoutToken });
      await s.post(s.in("serviceaccounts", "robot", "token"), {}, { view: withoutToken });
      await s.post(
        s.in("serviceaccounts", "robot", "token"),
        { metadata: { name: "robot" }, spec: { expirationSeconds: 600 } },
        { view: withoutToken },
      );
      await s.post(
        s.in("serviceaccounts", "robot", "token"),
        { spec: { audiences: ["vault"] } },
        { view: (body) => valueAt({ body }, "spec") ?? null },
      );
      await s.post(s.in("serviceaccounts", "robot", "token"), { metadata: { uid: "other" }, spec: {} }, message);
      await s.post(s.in("serviceaccounts", "robot", "token"), { metadata: { name: "other", namespace: "other" }, spec: {} }, message);
      await s.post(s.in("serviceaccounts", "nobody", "token"), { metadata: { name: "other" }, spec: {} }, message);
      await s.post(s.in("serviceaccounts", "robot", "token"), { metadata: { namespace: "other" }, spec: {} }, message);
    }),
    probe("P701b a dry run issues a token too", async (s) => {
      await robot(s);
      const answer = await s.post(`${s.in("serviceaccounts", "robot", "token")}?dryRun=All`, { spec: {} }, message);
      s.fact("has a token", textAt(answer, "status", "token") !== "");
      const spec = {
        audiences: ["vault"],
        expirationSeconds: 600,
        boundObjectRef: { kind: "ServiceAccount", apiVersion: "v1", name: "robot" },
      };
      await s.post(`${s.in("serviceaccounts", "robot", "token")}?fieldValidation=Strict`, { spec: { ...spec, more: 1 } }, message);
      await s.post(s.in("secrets"), { metadata: { name: "s" } }, quiet);
      const bound = { ...spec, boundObjectRef: { kind: "Secret", apiVersion: "v1", name: "s" } };
      await s.post(
        s.in("serviceaccounts", "robot", "token"),
        { spec: bound },
        { view: (body) => valueAt({ body }, "metadata", "managedFields") ?? null },
      );
    }),
    probe("P702 limits of the age of a token", async (s) => {
      await robot(s);
      for (const expirationSeconds of [599, 600, 0, -1, 2 ** 32, 2 ** 32 + 1])
        await s.post(s.in("serviceaccounts", "robot", "token"), { spec: { expirationSeconds } }, message);
    }),
    probe("P703 tokens bound to pods, secrets and nodes", async (s) => {
      await robot(s);
      await s.post(s.in("pods"), pod("p", { serviceAccountName: "robot" }), quiet);
      await s.post(s.in("pods"), pod("q", {}), quiet);
      const nodeName = `${s.namespace}-n`;
      await s.post(s.in("pods"), pod("r", { serviceAccountName: "robot", nodeName }), quiet);
      const secret = await s.post(s.in("secrets"), { metadata: { name: "s" } }, quiet);
      const bound = (kind: string, name: string, more: JsonObject = {}): JsonObject => ({
        boundObjectRef: { kind, apiVersion: "v1", name, ...more },
      });
      s.fact("bound to a pod", claims(await tokenOf(s, bound("Pod", "p"))));
      s.fact("bound to a pod, as kubelets ask for it", claims(await tokenOf(s, { ...bound("Pod", "p"), expirationSeconds: 3607 })));
      s.fact(
        "the same for others",
        claims(await tokenOf(s, { ...bound("Pod", "p"), expirationSeconds: 3607, audiences: ["vault"] }), { withAudiences: true }),
      );
      s.fact("bound to a pod on a node that is not there", claims(await tokenOf(s, bound("Pod", "r"))));
      s.fact("bound to a secret", claims(await tokenOf(s, bound("Secret", "s", { uid: uidOf(secret) }))));
      s.fact("without a version", claims(await tokenOf(s, { boundObjectRef: { kind: "Secret", name: "s" } })));
      const refuse = (spec: JsonObject): Promise<Answer> => s.post(s.in("serviceaccounts", "robot", "token"), { spec });
      await refuse(bound("Pod", "q"));
      await refuse(bound("Pod", "p", { uid: "other" }));
      await refuse(bound("Secret", "s", { uid: "other" }));
      await refuse(bound("Node", `${s.namespace}-none`));
      await refuse({ boundObjectRef: { kind: "Deployment", apiVersion: "apps/v1", name: "x" } });
      await refuse({ boundObjectRef: { apiVersion: "v1", name: "x" } });
    }),
    probe("P704 a token dies with its account and with what it is bound to", async (s) => {
      await robot(s);
      await s.post(s.in("pods"), pod("p", { serviceAccountName: "robot", containers: [container()] }), quiet);
      const token = await tokenOf(s, { boundObjectRef: { kind: "Pod", apiVersion: "v1", name: "p" } });
      const other = await tokenOf(s, {});
      await s.post(reviews, { spec: { token } }, { view: reviewed });
      await s.post(
        selfReviews,
        {},
        { headers: { authorization: `Bearer ${token}` }, view: (body) => valueAt({ body }, "status", "userInfo", "username") ?? null },
      );
      await s.delete(s.in("pods", "p"), { gracePeriodSeconds: 0 }, quiet);
      // The real server remembers for a moment that a token was valid.
      await s.until(
        { path: reviews, method: "POST", body: { spec: { token } }, view: reviewed },
        (answer) => textAt(answer, "status", "error") !== "",
      );
      await s.delete(s.in("serviceaccounts", "robot"), undefined, quiet);
      await s.until(
        { path: reviews, method: "POST", body: { spec: { token: other } }, view: reviewed },
        (answer) => textAt(answer, "status", "error") !== "",
      );
    }),
    probe("P705 reviews of tokens for some audiences", async (s) => {
      await robot(s);
      const token = await tokenOf(s, { audiences: ["vault", "registry"] });
      await s.post(reviews, { spec: { token, audiences: ["vault"] } }, { view: withAudiences });
      await s.post(reviews, { spec: { token, audiences: ["other", "registry", "vault"] } }, { view: withAudiences });
      await s.post(reviews, { spec: { token, audiences: ["other", "third"] } }, { view: withAudiences });
      await s.get(s.in("configmaps"), { headers: { authorization: `Bearer ${token}` } });
      await s.post(reviews, { spec: { token: "nonsense", audiences: ["vault"] } }, { view: withAudiences });
      await s.post(reviews, { spec: { token: "a.b.c" } }, { view: withAudiences });
    }),
    probe("P706 the issuer describes itself and its keys", async (s) => {
      const document = await s.get("/.well-known/openid-configuration", {
        view: (body) => {
          if (!isJsonObject(body)) return body;
          const { issuer: _issuer, jwks_uri, id_token_signing_alg_values_supported: _algorithms, ...others } = body;
          return { ...others, keys: new URL(typeof jwks_uri === "string" ? jwks_uri : "").pathname };
        },
      });
      s.fact("members", Object.keys(isJsonObject(document.body) ? document.body : {}));
      await s.get("/openid/v1/jwks", {
        headers: { accept: "application/json, */*" },
        view: (body) => {
          const [key, ...more] = (valueAt({ body }, "keys") ?? []) as JsonObject[];
          return [key?.["use"] ?? null, typeof key?.["kid"], typeof key?.["alg"], more.length];
        },
      });
      for (const path of ["/.well-known/openid-configuration", "/openid/v1/jwks"]) {
        await s.get(path, { headers: { accept: "application/yaml" } });
        await s.post(path, {});
      }
      await s.get("/.well-known/", message);
      await s.get("/openid/v1", message);
    }),
  ],
};
