/** ConversionReviews: what a conversion webhook is asked, and the checks of its answer. Messages are kube-apiserver's. */
import {
  deepCopy,
  encodeJson,
  getOwn,
  groupVersionKindFrom,
  isJsonObject,
  printFieldErrors,
  printGroupVersionKind,
  quoteGo,
  setOwn,
  validateAnnotations,
  validateLabels,
} from "@drover/machinery";
import type { FieldError, JsonObject, JsonValue } from "@drover/machinery";

const group = "apiextensions.k8s.io";

/** What is wrong with a response: the text after "conversion webhook for ex.io/v1, Kind=Widget", or all of it. */
export class ConversionReviewError extends Error {
  override readonly name = "ConversionReviewError";
  /** Whether the message stands alone. */
  readonly isBare: boolean;

  constructor(message: string, { isBare = false }: { readonly isBare?: boolean } = {}) {
    super(message);
    this.isBare = isBare;
  }
}

export interface ConversionReview {
  readonly version: string;
  readonly uid: string;
  readonly objects: readonly JsonObject[];
  /** "ex.io/v2" */
  readonly desiredAPIVersion: string;
}

/** Returns the review as JSON. */
export function conversionReviewText({ version, uid, objects, desiredAPIVersion }: ConversionReview): string {
  return encodeJson({
    kind: "ConversionReview",
    apiVersion: `${group}/${version}`,
    request: { uid, desiredAPIVersion, objects: [...objects] },
    response: { uid: "", convertedObjects: null, result: { metadata: {} } },
  });
}

/** Returns the converted objects. Throws a `ConversionReviewError`. */
export function readConversionReview(value: JsonObject, review: ConversionReview): readonly JsonObject[] {
  const { objects } = review;
  const converted = convertedObjects(value, review);
  if (converted.length !== objects.length)
    throw new ConversionReviewError(`returned ${converted.length} objects, expected ${objects.length}`);
  return objects.map((original, index) => checkedObject(original, converted[index] ?? null, review.desiredAPIVersion));
}

function convertedObjects(value: JsonObject, { version, uid }: ConversionReview): readonly JsonValue[] {
  const failed = (why: string): ConversionReviewError => new ConversionReviewError(`failed: ${why}`);
  const found = groupVersionKindFrom(textOf(value["apiVersion"]), textOf(value["kind"]));
  const wanted = { group, version: "v1", kind: "ConversionReview" };
  if (version === "v1" && printGroupVersionKind(found) !== printGroupVersionKind(wanted))
    throw failed(`expected webhook response of ${printGroupVersionKind(wanted)}, got ${printGroupVersionKind(found)}`);
  const { response } = value;
  if (!isJsonObject(response)) throw failed("no response provided");
  const got = textOf(response["uid"]);
  if (version === "v1" && got !== uid) throw failed(`expected response.uid=${quoteGo(uid)}, got ${quoteGo(got)}`);
  const result = isJsonObject(response["result"]) ? response["result"] : {};
  const { status, message } = { status: textOf(result["status"]), message: textOf(result["message"]) };
  if (status !== "Success") throw failed(message === "" ? `response.result.status was '${status}', not 'Success'` : message);
  const converted = response["convertedObjects"];
  return Array.isArray(converted) ? converted : [];
}

const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

/** Checks one object and gives it the metadata of the original, except for labels and annotations. */
function checkedObject(original: JsonObject, converted: JsonValue, apiVersion: string): JsonObject {
  const invalid = (why: string): ConversionReviewError => new ConversionReviewError(`returned invalid object${why}`);
  if (!isJsonObject(converted)) throw new ConversionReviewError("unexpected end of JSON input", { isBare: true });
  const got = textOf(converted["apiVersion"]);
  if (got !== apiVersion) throw invalid(` at index 0: invalid groupVersion (expected ${apiVersion}, received ${got})`);
  const [kind, gotKind] = [textOf(original["kind"]), textOf(converted["kind"])];
  if (kind !== gotKind) throw invalid(` at index 0: invalid kind (expected ${kind}, received ${gotKind})`);
  for (const [field, word] of identity) {
    const [before, after] = [metaText(original, field), metaText(converted, field)];
    if (before !== after) throw invalid(`: must have the same ${word}: ${before} != ${after}`);
  }
  return { ...converted, metadata: restoredMetadata(original, converted) };
}

const identity: readonly (readonly [field: string, word: string])[] = [
  ["name", "name"],
  ["namespace", "namespace"],
  ["uid", "UID"],
];

const metaText = ({ metadata }: JsonObject, field: string): string => (isJsonObject(metadata) ? textOf(getOwn(metadata, field)) : "");

function restoredMetadata(original: JsonObject, { metadata: given }: JsonObject): JsonObject {
  const invalid = (why: string): ConversionReviewError => new ConversionReviewError(`returned invalid metadata: ${why}`);
  if (given === undefined) throw invalid("missing metadata in converted object");
  if (!isJsonObject(given)) throw invalid(`invalid metadata of type ${goType(given)} in converted object`);
  const metadata = isJsonObject(original["metadata"]) ? deepCopy(original["metadata"]) : {};
  for (const field of ["labels", "annotations"] as const) {
    const texts = getOwn(given, field);
    if (texts === undefined || texts === null) {
      delete metadata[field];
      continue;
    }
    if (!isJsonObject(texts)) throw invalid(`invalid metadata.${field} of type ${goType(texts)} in converted object`);
    for (const [key, value] of Object.entries(texts))
      if (typeof value !== "string")
        throw invalid(`metadata.${field}[${key}] must be a string, but is ${goType(value)} in converted object`);
    const errors = textErrors(field, texts as Record<string, string>, metadata[field]);
    if (errors.length > 0) throw invalid(printFieldErrors(errors));
    setOwn<JsonValue>(metadata, field, texts);
  }
  return metadata;
}

/** Only texts that the webhook changed are validated. */
function textErrors(field: "labels" | "annotations", texts: Readonly<Record<string, string>>, before: JsonValue | undefined): FieldError[] {
  const old = isJsonObject(before) ? before : {};
  const entries = Object.entries(texts);
  if (entries.length === Object.keys(old).length && entries.every(([key, value]) => getOwn(old, key) === value)) return [];
  return field === "labels" ? validateLabels(texts, "metadata.labels") : validateAnnotations(texts, "metadata.annotation");
}

/** The type of a value as Go prints it with %T. */
function goType(value: JsonValue): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  if (typeof value === "object") return "map[string]interface {}";
  return typeof value === "bigint" || Number.isInteger(value) ? "int64" : "float64";
}
