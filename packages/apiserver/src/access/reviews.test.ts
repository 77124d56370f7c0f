import { deepFreeze } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { StatusError } from "../status-error.ts";
import { alwaysAllow } from "./always-allow.ts";
import { authenticatorOf } from "./authenticator.ts";
import { bearerTokens } from "./bearer-tokens.ts";
import { answerReview, isReviewKind } from "./reviews.ts";
import type { ReviewContext, ReviewKind } from "./reviews.ts";

const context: ReviewContext = {
  user: { name: "alice", groups: ["dev", "system:authenticated"] },
  namespace: "",
  authorizer: alwaysAllow,
  audiences: ["https://kubernetes.default.svc"],
  now: Date.UTC(2026, 10, 15, 20, 19, 12),
  authenticator: authenticatorOf([bearerTokens([{ token: "t", user: { name: "bob", uid: "7", groups: ["ops"], extra: { k: ["v"] } } }])], {
    anonymous: true,
  }),
};
const ask = (kind: ReviewKind, body: JsonObject, changes: Partial<ReviewContext> = {}): Promise<JsonObject> =>
  answerReview(
    kind,
    deepFreeze({
      apiVersion: kind === "TokenReview" ? "authentication.k8s.io/v1" : "authorization.k8s.io/v1",
      kind,
      metadata: {},
      ...body,
    }),
    { ...context, ...changes },
  );

async function refusal(asked: Promise<unknown>): Promise<unknown> {
  const error = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(StatusError);
  const { code, reason, message, details } = (error as StatusError).status;
  return { code, reason, message, ...(details === undefined ? {} : { details }) };
}

// Responses and texts were recorded from a real server.
describe("answerReview", () => {
  it("supports six review kinds", () => {
    expect(
      [
        "SubjectAccessReview",
        "LocalSubjectAccessReview",
        "SelfSubjectAccessReview",
        "SelfSubjectRulesReview",
        "SelfSubjectReview",
        "TokenReview",
      ].every(isReviewKind),
    ).toBe(true);
    expect(["Pod", "toString", ""].some(isReviewKind)).toBe(false);
  });

  it("answers a SubjectAccessReview with its spec and a status", async () => {
    const spec = { user: "u", groups: ["g"], resourceAttributes: { verb: "get", resource: "pods" } };
    const answer = await ask("SubjectAccessReview", { spec, metadata: { managedFields: [] } });
    expect(answer).toEqual({
      kind: "SubjectAccessReview",
      apiVersion: "authorization.k8s.io/v1",
      metadata: { managedFields: [] },
      spec,
      status: { allowed: true },
    });
    expect(Object.keys(answer)).toEqual(["kind", "apiVersion", "metadata", "spec", "status"]);
  });

  it("refuses an invalid SubjectAccessReview with a 422 that names no kind", async () => {
    expect(await refusal(ask("SubjectAccessReview", { spec: { user: "a" } }))).toEqual({
      code: 422,
      reason: "Invalid",
      message:
        '.authorization.k8s.io "" is invalid: spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
      details: {
        group: "authorization.k8s.io",
        causes: [
          {
            reason: "FieldValueInvalid",
            message: "Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified",
            field: "spec.resourceAttributes",
          },
        ],
      },
    });
  });

  it("refuses a LocalSubjectAccessReview of another namespace", async () => {
    const body = { metadata: { namespace: "ns" }, spec: { user: "u", resourceAttributes: { namespace: "ns" } } };
    expect((await ask("LocalSubjectAccessReview", body, { namespace: "ns" })).status).toEqual({ allowed: true });
    expect(await refusal(ask("LocalSubjectAccessReview", body, { namespace: "other" }))).toEqual({
      code: 400,
      reason: "BadRequest",
      message: "spec.resourceAttributes.namespace must match namespace: other",
    });
    expect(await refusal(ask("LocalSubjectAccessReview", body))).toEqual({
      code: 400,
      reason: "BadRequest",
      message: "namespace is required on this type: ",
    });
  });

  it("answers a SelfSubjectAccessReview about the requestor", async () => {
    const asked: string[] = [];
    const authorizer = {
      ...alwaysAllow,
      authorize: ({ user }: { readonly user: { readonly name: string } }) =>
        Promise.resolve({ decision: asked.push(user.name) > 0 ? ("deny" as const) : ("allow" as const) }),
    };
    expect((await ask("SelfSubjectAccessReview", { spec: { nonResourceAttributes: { path: "/" } } }, { authorizer })).status).toEqual({
      allowed: false,
      denied: true,
    });
    expect(asked).toEqual(["alice"]);
  });

  it("answers a SelfSubjectRulesReview with a new object", async () => {
    expect(await ask("SelfSubjectRulesReview", { metadata: { name: "x" }, spec: { namespace: "default" } })).toEqual({
      kind: "SelfSubjectRulesReview",
      apiVersion: "authorization.k8s.io/v1",
      metadata: {},
      spec: {},
      status: {
        resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }],
        nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
        incomplete: false,
      },
    });
    expect(await refusal(ask("SelfSubjectRulesReview", { spec: {} }))).toEqual({
      code: 400,
      reason: "BadRequest",
      message: "no namespace on request",
    });
  });

  it("answers a SelfSubjectReview with the requestor", async () => {
    expect(await ask("SelfSubjectReview", { metadata: { name: "x" } })).toEqual({
      kind: "SelfSubjectReview",
      apiVersion: "authentication.k8s.io/v1",
      metadata: { creationTimestamp: "2026-11-15T20:19:12Z" },
      status: { userInfo: { username: "alice", groups: ["dev", "system:authenticated"] } },
    });
  });

  it("answers a TokenReview with the token's user, or unauthenticated", async () => {
    expect((await ask("TokenReview", { spec: { token: "t" } })).status).toEqual({
      authenticated: true,
      user: { username: "bob", uid: "7", groups: ["ops", "system:authenticated"], extra: { k: ["v"] } },
      audiences: ["https://kubernetes.default.svc"],
    });
    expect(await ask("TokenReview", { metadata: { name: "q" }, spec: { token: "nope" } })).toEqual({
      kind: "TokenReview",
      apiVersion: "authentication.k8s.io/v1",
      metadata: { name: "q" },
      spec: { token: "nope" },
      status: { user: {}, error: "invalid bearer token" },
    });
    expect(await refusal(ask("TokenReview", { spec: {} }))).toEqual({
      code: 400,
      reason: "BadRequest",
      message: "token is required for TokenReview in authentication",
    });
  });

  it("reports the audiences of a TokenReview", async () => {
    expect((await ask("TokenReview", { spec: { token: "t", audiences: ["foo"] } })).status).toEqual({
      user: {},
      error: "invalid bearer token",
    });
    expect((await ask("TokenReview", { spec: { token: "t", audiences: ["foo", "https://kubernetes.default.svc"] } })).status).toMatchObject(
      { audiences: ["https://kubernetes.default.svc"] },
    );
    expect((await ask("TokenReview", { spec: { token: "t" } }, { audiences: [] })).status).toMatchObject({ authenticated: true });
  });
});
