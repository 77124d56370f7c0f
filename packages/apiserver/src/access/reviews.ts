/**
 * Review kinds: answered in the response to their creation and never stored.
 *
 *     POST …/subjectaccessreviews → answerReview → 201 with a status
 */
import { TokenReview } from "@drover/api/authentication/v1";
import type { TokenReviewSpec } from "@drover/api/authentication/v1";
import {
  LocalSubjectAccessReview,
  SelfSubjectAccessReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
} from "@drover/api/authorization/v1";
import { formatTime, newBadRequest, newInvalid } from "@drover/machinery";
import type { FieldError, JsonObject } from "@drover/machinery";
import { StatusError } from "../status-error.ts";
import { typedObject } from "../typed-object.ts";
import { invalidBearerToken, tokenCredentials } from "./authenticator.ts";
import type { Authenticator } from "./authenticator.ts";
import type { Authorizer } from "./authorizer.ts";
import { validateLocalSubjectAccessReview, validateSelfSubjectAccessReview, validateSubjectAccessReview } from "./review-validation.ts";
import { reviewAccess } from "./reviewed-access.ts";
import type { User } from "./user.ts";

export interface ReviewContext {
  /** The user who asks. */
  readonly user: User;
  /** The namespace in the path; "" without one. */
  readonly namespace: string;
  readonly authorizer: Authorizer;
  readonly authenticator: Authenticator;
  /** Audiences of this server's tokens. @default none; reviews report none */
  readonly audiences?: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The kinds that {@link answerReview} answers. */
export type ReviewKind =
  | "SubjectAccessReview"
  | "LocalSubjectAccessReview"
  | "SelfSubjectAccessReview"
  | "SelfSubjectRulesReview"
  | "SelfSubjectReview"
  | "TokenReview";

type Answer = (body: JsonObject, context: ReviewContext) => Promise<JsonObject>;

const answers: Readonly<Record<ReviewKind, Answer>> = {
  SubjectAccessReview: async (body, { authorizer }) => {
    const review = typedObject(SubjectAccessReview, body);
    refuseInvalid(validateSubjectAccessReview(review));
    return answered(body, await reviewAccess(subjectOf(review), review.spec, authorizer));
  },
  LocalSubjectAccessReview: async (body, context) => {
    const review = typedObject(LocalSubjectAccessReview, body);
    refuseInvalid(validateLocalSubjectAccessReview(review));
    refuseOtherNamespace(review, context);
    return answered(body, await reviewAccess(subjectOf(review), review.spec, context.authorizer));
  },
  SelfSubjectAccessReview: async (body, { user, authorizer }) => {
    const review = typedObject(SelfSubjectAccessReview, body);
    refuseInvalid(validateSelfSubjectAccessReview(review));
    return answered(body, await reviewAccess(user, review.spec, authorizer));
  },
  SelfSubjectRulesReview: (body, context) => answerRules(typedObject(SelfSubjectRulesReview, body), context),
  SelfSubjectReview: (_, { user, now }) =>
    Promise.resolve({
      kind: "SelfSubjectReview",
      apiVersion: "authentication.k8s.io/v1",
      metadata: { creationTimestamp: formatTime(now) },
      status: { userInfo: userInfo(user) },
    }),
  TokenReview: async (body, context) => answered(body, await reviewToken(typedObject(TokenReview, body), context)),
};

/** Whether objects of a kind are answered instead of stored. */
export const isReviewKind = (kind: string): kind is ReviewKind => Object.hasOwn(answers, kind);

/**
 * Answers a review with the complete object. Assumes a body decoded as its kind, with the namespace of the request set. Rejects
 * with a 422 or 400 for an invalid review. Does not change the body.
 */
export async function answerReview(kind: ReviewKind, body: JsonObject, context: ReviewContext): Promise<JsonObject> {
  return await answers[kind](body, context);
}

/** kube-apiserver's decoder has removed the kind at this point, so its message names none. */
function refuseInvalid(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw new StatusError(newInvalid({ group: "authorization.k8s.io", kind: "" }, "", errors));
}

function refuseOtherNamespace({ metadata }: LocalSubjectAccessReview, { namespace }: ReviewContext): void {
  if (namespace === "") throw new StatusError(newBadRequest(`namespace is required on this type: ${namespace}`));
  if (namespace !== metadata.namespace)
    throw new StatusError(newBadRequest(`spec.resourceAttributes.namespace must match namespace: ${namespace}`));
}

const subjectOf = ({ spec: { user = "", groups = [], uid, extra } }: Pick<SubjectAccessReview, "spec">): User => ({
  name: user,
  groups,
  ...(uid === undefined ? {} : { uid }),
  ...(extra === undefined ? {} : { extra }),
});

function answered({ kind = null, apiVersion = null, metadata = {}, spec = {} }: JsonObject, status: JsonObject): JsonObject {
  return { kind, apiVersion, metadata, spec, status };
}

/** The response is a new object without the metadata of the request. */
async function answerRules({ spec: { namespace = "" } }: SelfSubjectRulesReview, { user, authorizer }: ReviewContext): Promise<JsonObject> {
  if (namespace === "") throw new StatusError(newBadRequest("no namespace on request"));
  const { resourceRules, nonResourceRules, incomplete, evaluationError = "" } = await authorizer.rulesFor(user, namespace);
  return {
    kind: "SelfSubjectRulesReview",
    apiVersion: "authorization.k8s.io/v1",
    metadata: {},
    spec: {},
    status: {
      resourceRules: resourceRules.map(({ verbs, apiGroups, resources, resourceNames = [] }) => ({
        verbs: [...verbs],
        apiGroups: [...apiGroups],
        resources: [...resources],
        ...(resourceNames.length === 0 ? {} : { resourceNames: [...resourceNames] }),
      })),
      nonResourceRules: nonResourceRules.map(({ verbs, nonResourceURLs }) => ({
        verbs: [...verbs],
        nonResourceURLs: [...nonResourceURLs],
      })),
      incomplete,
      ...(evaluationError === "" ? {} : { evaluationError }),
    },
  };
}

async function reviewToken(
  { spec: { token = "", audiences: wanted = [] } }: { readonly spec: Partial<TokenReviewSpec> },
  { namespace, authenticator, audiences: own = [] }: ReviewContext,
): Promise<JsonObject> {
  if (namespace !== "") throw new StatusError(newBadRequest(`namespace is not allowed on this type: ${namespace}`));
  if (token === "") throw new StatusError(newBadRequest("token is required for TokenReview in authentication"));
  const found = await authenticator(tokenCredentials(token, wanted.length === 0 ? own : wanted));
  if (found.kind === "none") return { user: {} };
  if (found.kind === "refused") return { user: {}, error: found.reason };
  const audiences = found.audiences ?? (wanted.length === 0 ? own : own.filter((audience) => wanted.includes(audience)));
  if (audiences.length === 0 && wanted.length > 0) return { user: {}, error: invalidBearerToken };
  return { authenticated: true, user: userInfo(found.user), ...(audiences.length === 0 ? {} : { audiences: [...audiences] }) };
}

/** Returns a user as objects show one; empty fields are omitted. */
function userInfo({ name, uid = "", groups, extra = {} }: User): JsonObject {
  return {
    ...(name === "" ? {} : { username: name }),
    ...(uid === "" ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(Object.keys(extra).length === 0
      ? {}
      : { extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])) }),
  };
}
