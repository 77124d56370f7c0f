/**
 * AdmissionReviews on the webhook's side: the request is read, the answer is written in the version of the request.
 *
 *     bytes → readAdmissionReview → AdmissionHandler → admissionReviewText → bytes
 */
import { applyJsonPatch, budget, decodeJson, definedOnly, encodeJson, getOwn, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue, KubeObject, StatusCause } from "@drover/machinery";
import { ReviewFormatError } from "./review-format-error.ts";
import type { AdmissionAnswer, AdmissionOperation, AdmissionRequest, AdmissionUser } from "./webhook.ts";

const group = "admission.k8s.io";
const versions: readonly string[] = [`${group}/v1`, `${group}/v1beta1`];
const operations: readonly string[] = ["CREATE", "UPDATE", "DELETE", "CONNECT"] satisfies readonly AdmissionOperation[];

/** A review as received: the version to answer in, and the request. */
export interface ReceivedAdmissionReview {
  /** "admission.k8s.io/v1" */
  readonly apiVersion: string;
  readonly request: AdmissionRequest;
}

const patchBytes = budget({
  name: "controller/webhook-patch",
  limit: 3 * 2 ** 20,
  unit: "bytes",
  atLimit: "The answer is replaced by that of a failed handler: a refusal, or a warning if failurePolicy is Ignore.",
  uncounted: "It is counted as a failure of the handler, in controller_runtime_webhook_panics_total.",
});

/** Nesting of a review: that of the deepest object the API server accepts, and the levels around it. */
const depthMax = 1010;
/** Characters of the message of a refusal, and of each cause and warning; more is cut. */
const messageMax = 32_000;
const detailMax = 4_000;
/** Causes of a refusal, and warnings; the rest is dropped. */
const detailsMax = 100;

/** Reads a review. Throws a `ReviewFormatError` that names the field; it has the uid if that could be read. */
export function readAdmissionReview(body: string | Uint8Array): ReceivedAdmissionReview {
  const review = decodedReview(body);
  const apiVersion = textIn(review, "apiVersion") || (versions[0] ?? "");
  if (!versions.includes(apiVersion) || (textIn(review, "kind") || "AdmissionReview") !== "AdmissionReview")
    throw new ReviewFormatError(
      `the body is ${JSON.stringify(textIn(review, "kind"))} of ${JSON.stringify(apiVersion)}, not an AdmissionReview of ${versions.join(" or ")}`,
    );
  const request = getOwn(review, "request");
  if (!isJsonObject(request)) throw new ReviewFormatError("request is absent", { apiVersion });
  const uid = textIn(request, "uid");
  const fail = (why: string): ReviewFormatError => new ReviewFormatError(why, { apiVersion, uid });
  if (uid === "") throw fail("request.uid is absent");
  const operation = textIn(request, "operation");
  if (!isOperation(operation)) throw fail(`request.operation is ${JSON.stringify(operation)}, which is none of ${operations.join(", ")}`);
  const object = objectIn(request, "object", fail);
  const oldObject = objectIn(request, "oldObject", fail);
  const resource = recordIn(request, "resource");
  return {
    apiVersion,
    request: {
      uid,
      kind: kindOf(request),
      resource: { group: textIn(resource, "group"), version: textIn(resource, "version"), resource: textIn(resource, "resource") },
      subresource: textIn(request, "subResource"),
      name: textIn(request, "name"),
      namespace: textIn(request, "namespace"),
      operation,
      user: userOf(recordIn(request, "userInfo")),
      ...definedOnly({ object, oldObject }),
      isDryRun: getOwn(request, "dryRun") === true,
      options: recordIn(request, "options"),
    },
  };
}

/** Decodes a review of any kind. Throws a `ReviewFormatError`. */
export function decodedReview(body: string | Uint8Array): JsonObject {
  const duplicates: string[] = [];
  let value: JsonValue;
  try {
    value = decodeJson(body, { maxDepth: depthMax, onDuplicateField: (path) => void duplicates.push(path) });
  } catch (error) {
    throw new ReviewFormatError("the body cannot be decoded as JSON", { cause: error });
  }
  // No API server writes one. Another reader of the same bytes might take the other value.
  if (duplicates.length > 0) throw new ReviewFormatError(`the body has ${duplicates[0]} twice`);
  if (!isJsonObject(value)) throw new ReviewFormatError("the body is JSON, but not an object");
  return value;
}

const isOperation = (text: string): text is AdmissionOperation => operations.includes(text);

export function textIn(object: JsonObject, field: string): string {
  const value = getOwn(object, field);
  return typeof value === "string" ? value : "";
}

function recordIn(object: JsonObject, field: string): JsonObject {
  const value = getOwn(object, field);
  return isJsonObject(value) ? value : {};
}

function kindOf(request: JsonObject): AdmissionRequest["kind"] {
  const kind = recordIn(request, "kind");
  return { group: textIn(kind, "group"), version: textIn(kind, "version"), kind: textIn(kind, "kind") };
}

function objectIn(request: JsonObject, field: string, fail: (why: string) => ReviewFormatError): KubeObject | undefined {
  const value = getOwn(request, field);
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) throw fail(`request.${field} is not an object`);
  return value as unknown as KubeObject;
}

function userOf(user: JsonObject): AdmissionUser {
  const extra = Object.entries(recordIn(user, "extra")).map(([key, values]) => [key, textsOf(values)] as const);
  return {
    username: textIn(user, "username"),
    uid: textIn(user, "uid"),
    groups: textsOf(getOwn(user, "groups")),
    extra: Object.fromEntries(extra),
  };
}

const textsOf = (value: JsonValue | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];

/** Which review is answered, and what its answer may contain. */
export interface AnsweredReview {
  readonly apiVersion: string;
  readonly uid: string;
  /** The object that a patch applies to; undefined if there is none. */
  readonly object?: unknown;
  readonly type: "mutating" | "validating";
}

/**
 * Returns the response as JSON. Throws an Error that names the problem if the answer cannot be sent: a patch of a validating webhook, a
 * patch that does not apply to the object, or one that changes its identity.
 */
export function admissionReviewText(answer: AdmissionAnswer, review: AnsweredReview): string {
  const { apiVersion, uid } = review;
  const { isAllowed, patch = [], warnings = [], auditAnnotations = {} } = answer;
  const patchText = isAllowed && patch.length > 0 ? checkedPatch(patch, review) : undefined;
  return encodeJson({
    kind: "AdmissionReview",
    apiVersion,
    response: {
      uid,
      allowed: isAllowed,
      status: isAllowed ? { metadata: {}, code: 200 } : refusalOf(answer),
      ...(patchText === undefined ? {} : { patch: base64Of(patchText), patchType: "JSONPatch" }),
      ...(warnings.length === 0
        ? {}
        : {
            warnings: warnings
              .slice(0, detailsMax)
              .map(String)
              .map((warning) => cut(warning, detailMax)),
          }),
      ...(Object.keys(auditAnnotations).length === 0 ? {} : { auditAnnotations: { ...auditAnnotations } }),
    },
  });
}

function refusalOf({ code = 403, reason = "Forbidden", message = "", causes = [] }: AdmissionAnswer): JsonObject {
  const listed = causes
    .slice(0, detailsMax)
    .map(({ field, reason: why, message: text }): StatusCause => ({ reason: why, message: cut(text, detailMax), field }));
  return {
    metadata: {},
    status: "Failure",
    ...(message === "" ? {} : { message: cut(message, messageMax) }),
    reason,
    ...(listed.length === 0 ? {} : { details: { causes: listed as unknown as JsonObject[] } }),
    code,
  };
}

function checkedPatch(patch: NonNullable<AdmissionAnswer["patch"]>, { object, type }: AnsweredReview): string {
  if (type === "validating") throw new Error("a validating webhook cannot change the object: remove patch from its answer");
  if (!isJsonObject(object as JsonValue)) throw new Error("the answer has a patch, and the request has no object");
  const before = object as JsonObject;
  const after = applyJsonPatch(before, patch);
  if (!isJsonObject(after)) throw new Error("the patch replaces the object by something else than an object");
  for (const field of ["apiVersion", "kind"])
    if (textIn(before, field) !== textIn(after, field)) throw new Error(`the patch changes ${field}, which a webhook may not do`);
  const text = encodeJson(patch);
  if (text.length > patchBytes.limit) throw new Error(`the patch has ${text.length} bytes, more than ${patchBytes.limit}`);
  return text;
}

function base64Of(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = "";
  for (let at = 0; at < bytes.length; at += pieceBytes) binary += String.fromCharCode(...bytes.subarray(at, at + pieceBytes));
  return btoa(binary);
}

/** Bytes that are passed as arguments of one call. */
const pieceBytes = 8192;

const cut = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max)}…` : text);
