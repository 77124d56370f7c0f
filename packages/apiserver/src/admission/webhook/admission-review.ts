/**
 * AdmissionReviews: what a webhook is asked, and what it answers.
 *
 *     WebhookInvocation, AdmissionRequest → newReview → webhook → readReview → ReviewResponse
 */
import { apiVersionOf, encodeJson, getOwn, groupVersionKindFrom, isJsonObject, printGroupVersionKind, quoteGo } from "@drover/machinery";
import type { GroupVersionKind, JsonObject, JsonValue } from "@drover/machinery";
import type { Resource } from "../../registry/resource.ts";
import type { AdmissionRequest } from "../admission.ts";
import { kindAt } from "../cel/admission-input.ts";
import { matchTarget } from "../match/match-target.ts";
import { objectsIn } from "./matched-webhook.ts";
import type { WebhookInvocation } from "./matched-webhook.ts";

const group = "admission.k8s.io";
const knownVersions: readonly string[] = ["v1", "v1beta1"];

/** A response that kube-apiserver does not accept. */
export class ReviewError extends Error {
  override readonly name = "ReviewError";
}

export interface Review {
  readonly kind: GroupVersionKind;
  readonly uid: string;
  readonly body: string;
}

/** Returns the review in the first version that the webhook lists and the server knows; undefined if there is none. */
export async function newReview(
  { webhook: { hook }, resource }: WebhookInvocation,
  request: AdmissionRequest,
  uid: string,
): Promise<Review | undefined> {
  const version = hook.admissionReviewVersions.find((each) => knownVersions.includes(each));
  if (version === undefined) return undefined;
  const review = { kind: "AdmissionReview", apiVersion: `${group}/${version}`, request: await requestOf(resource, request, uid) };
  return { kind: { group, version, kind: "AdmissionReview" }, uid, body: encodeJson(review) };
}

async function requestOf(resource: Resource, request: AdmissionRequest, uid: string): Promise<JsonObject> {
  const { operation, resource: requested, subresource, name, user, dryRun } = request;
  const { namespace } = matchTarget(request);
  const { object, old } = await objectsIn(resource, request);
  const { extra = {} } = user;
  return {
    uid,
    kind: kindJson(kindAt(resource, subresource)),
    resource: resourceJson(resource),
    ...(subresource === "" ? {} : { subResource: subresource }),
    requestKind: kindJson(kindAt(requested, subresource)),
    requestResource: resourceJson(requested),
    ...(subresource === "" ? {} : { requestSubResource: subresource }),
    ...(name === "" ? {} : { name }),
    ...(namespace === "" ? {} : { namespace }),
    operation,
    userInfo: {
      ...(user.name === "" ? {} : { username: user.name }),
      ...(user.uid === undefined || user.uid === "" ? {} : { uid: user.uid }),
      ...(user.groups.length === 0 ? {} : { groups: [...user.groups] }),
      ...(Object.keys(extra).length === 0 ? {} : { extra: Object.fromEntries(Object.entries(extra).map(([key, of]) => [key, [...of]])) }),
    },
    object: object ?? null,
    oldObject: old ?? null,
    dryRun,
    options: request.options(),
  };
}

const kindJson = ({ group: of, version, kind }: GroupVersionKind): JsonObject => ({ group: of, version, kind });
const resourceJson = ({ kind: { group: of, version, plural } }: Resource): JsonObject => ({ group: of, version, resource: plural });

export interface ReviewResponse {
  readonly allowed: boolean;
  /** A JSON patch as text; "" for none. */
  readonly patch: string;
  readonly patchType: string;
  /** As in the response; undefined if absent. */
  readonly status: JsonObject | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: readonly (readonly [key: string, value: string])[];
}

/** Reads a response. Throws a `ReviewError`. */
export function readReview(
  value: JsonObject,
  { kind: { version }, uid }: Review,
  { isMutating }: { readonly isMutating: boolean },
): ReviewResponse {
  const { response } = value;
  if (!isJsonObject(response)) throw new ReviewError("webhook response was absent");
  const patch = patchText(response["patch"]);
  const patchType = textOf(response["patchType"]);
  const hasType = response["patchType"] !== undefined && response["patchType"] !== null;
  if (version === "v1") {
    checkIdentity(value, response, uid);
    if (isMutating) checkPatch(patch, patchType, hasType);
    else if (patch !== "") throw new ReviewError("validating webhook may not return response.patch");
    else if (hasType) throw new ReviewError("validating webhook may not return response.patchType");
  }
  const { status, warnings, auditAnnotations } = response;
  return {
    allowed: response["allowed"] === true,
    patch: isMutating ? patch : "",
    patchType: version === "v1" ? patchType : "JSONPatch",
    status: isJsonObject(status) ? status : undefined,
    warnings: Array.isArray(warnings) ? warnings.filter((each) => typeof each === "string") : [],
    auditAnnotations: isJsonObject(auditAnnotations)
      ? Object.entries(auditAnnotations).flatMap(([key, text]) => (typeof text === "string" ? [[key, text] as const] : []))
      : [],
  };
}

function checkIdentity(value: JsonObject, response: JsonObject, uid: string): void {
  const got = textOf(response["uid"]);
  if (got !== uid) throw new ReviewError(`expected response.uid=${quoteGo(uid)}, got ${quoteGo(got)}`);
  const wanted = { group, version: "v1", kind: "AdmissionReview" };
  if (value["apiVersion"] === apiVersionOf(wanted) && value["kind"] === wanted.kind) return;
  const found = groupVersionKindFrom(textOf(value["apiVersion"]), textOf(value["kind"]));
  throw new ReviewError(`expected webhook response of ${printGroupVersionKind(wanted)}, got ${printGroupVersionKind(found)}`);
}

function checkPatch(patch: string, patchType: string, hasType: boolean): void {
  if (patch !== "" && !hasType) throw new ReviewError("webhook returned response.patch but not response.patchType");
  if (patch === "" && hasType) throw new ReviewError("webhook returned response.patchType but not response.patch");
  if (hasType && patchType === "") throw new ReviewError('webhook returned invalid response.patchType of ""');
}

const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

/** Go types of the members of a response. */
const memberTypes: readonly (readonly [member: string, goType: string, fits: (value: JsonValue) => boolean])[] = [
  ["uid", "types.UID", (value) => typeof value === "string"],
  ["allowed", "bool", (value) => typeof value === "boolean"],
  ["status", "v1.Status", isJsonObject],
  ["patch", "[]uint8", (value) => typeof value === "string"],
  ["patchType", "v1.PatchType", (value) => typeof value === "string"],
  ["auditAnnotations", "map[string]string", isJsonObject],
  ["warnings", "[]string", Array.isArray],
];

/** Returns Go's message about the first member of a response with a wrong type; undefined if all have the right one. */
export function typeProblem({ response }: JsonObject): string | undefined {
  if (response === undefined || response === null) return undefined;
  if (!isJsonObject(response))
    return `json: cannot unmarshal ${goKind(response)} into Go struct field AdmissionReview.response of type v1.AdmissionResponse`;
  for (const [member, goType, fits] of memberTypes) {
    const value = getOwn(response, member);
    if (value === undefined || value === null || fits(value)) continue;
    return `json: cannot unmarshal ${goKind(value)} into Go struct field AdmissionResponse.response.${member} of type ${goType}`;
  }
  return undefined;
}

function goKind(value: JsonValue): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" || typeof value === "object" ? typeof value : "number";
}

/** A patch is bytes in base64. */
function patchText(value: JsonValue | undefined): string {
  if (typeof value !== "string") return "";
  try {
    const bytes = Uint8Array.from(atob(value), (character) => character.codePointAt(0) ?? 0);
    return new TextDecoder().decode(bytes);
  } catch {
    throw new ReviewError(`illegal base64 data at input byte ${Math.max(0, value.search(/[^A-Za-z0-9+/=]/))}`);
  }
}
