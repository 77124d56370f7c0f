/**
 * ConversionReviews on the webhook's side: all objects of a request are converted, or the whole review fails.
 *
 *     bytes → readConversionReview → convertAll → conversionReviewText → bytes
 */
import { deepCopy, encodeJson, errorText, getOwn, parseGroupVersion, isJsonObject, setOwn } from "@drover/machinery";
import type { JsonObject, JsonValue, KubeObject } from "@drover/machinery";
import { decodedReview, textIn } from "./admission-review.ts";
import { ReviewFormatError } from "./review-format-error.ts";
import type { ConversionWebhook } from "./webhook.ts";

const apiVersion = "apiextensions.k8s.io/v1";

/** A request to convert objects. */
export interface ConversionRequest {
  readonly uid: string;
  /** "demo.example.com/v1" */
  readonly desiredAPIVersion: string;
  readonly objects: readonly JsonObject[];
}

/** The converted objects in the order of the request, or why one of them could not be converted. */
export type ConversionOutcome = { readonly objects: readonly JsonObject[] } | { readonly failure: string };

/** Reads a review. Throws a `ReviewFormatError` that names the field; it has the uid if that could be read. */
export function readConversionReview(body: string | Uint8Array): ConversionRequest {
  const review = decodedReview(body);
  const [found, kind] = [textIn(review, "apiVersion"), textIn(review, "kind")];
  if (found !== apiVersion || kind !== "ConversionReview")
    throw new ReviewFormatError(`the body is ${JSON.stringify(kind)} of ${JSON.stringify(found)}, not a ConversionReview of ${apiVersion}`);
  const request = getOwn(review, "request");
  if (!isJsonObject(request)) throw new ReviewFormatError("request is absent", { apiVersion });
  const uid = textIn(request, "uid");
  const objects = getOwn(request, "objects");
  const desiredAPIVersion = textIn(request, "desiredAPIVersion");
  const fail = (why: string): ReviewFormatError => new ReviewFormatError(why, { apiVersion, uid });
  if (uid === "") throw fail("request.uid is absent");
  if (desiredAPIVersion === "") throw fail("request.desiredAPIVersion is absent");
  if (!Array.isArray(objects)) throw fail("request.objects is not a list");
  if (!objects.every(isJsonObject)) throw fail("request.objects contains something else than objects");
  return { uid, desiredAPIVersion, objects };
}

/**
 * Converts all objects. Metadata other than labels and annotations stays as it was, whatever the converter returns. An object that already
 * has the version is returned as it is.
 */
export function convertAll({ objects, desiredAPIVersion }: ConversionRequest, webhooks: readonly ConversionWebhook[]): ConversionOutcome {
  const converted: JsonObject[] = [];
  for (const object of objects) {
    try {
      converted.push(convertOne(object, desiredAPIVersion, webhooks));
    } catch (error) {
      return { failure: `${nameOf(object)} cannot be converted to ${desiredAPIVersion}: ${errorText(error)}` };
    }
  }
  return { objects: converted };
}

function convertOne(object: JsonObject, desiredAPIVersion: string, webhooks: readonly ConversionWebhook[]): JsonObject {
  const [from, to] = [parseGroupVersion(textIn(object, "apiVersion")), parseGroupVersion(desiredAPIVersion)];
  const kind = textIn(object, "kind");
  if (from.group !== to.group) throw new Error(`the groups ${JSON.stringify(from.group)} and ${JSON.stringify(to.group)} differ`);
  const webhook = webhooks.find((each) => each.group === from.group && each.kind === kind);
  if (webhook === undefined) throw new Error(`this program converts no ${kind} of ${from.group}`);
  if (from.version === to.version) return object;
  // The converter gets a copy: if it changes its argument, the check of the metadata still has the original.
  const result: unknown = webhook.convert(deepCopy(object) as unknown as KubeObject, to.version);
  if (typeof result !== "object" || result === null || Array.isArray(result)) throw new Error("the converter returned no object");
  const value = result as JsonObject;
  if (textIn(value, "kind") !== kind) throw new Error(`the converter changed kind to ${JSON.stringify(getOwn(value, "kind"))}`);
  if (textIn(value, "apiVersion") !== desiredAPIVersion)
    throw new Error(`the converter returned apiVersion ${JSON.stringify(getOwn(value, "apiVersion"))}`);
  return { ...value, metadata: keptMetadata(object, value) };
}

function keptMetadata(original: JsonObject, converted: JsonObject): JsonObject {
  const given = getOwn(converted, "metadata");
  if (!isJsonObject(given)) throw new Error("the converter returned no metadata");
  const before = getOwn(original, "metadata");
  const metadata = isJsonObject(before) ? { ...before } : {};
  for (const field of ["labels", "annotations"]) {
    const texts = getOwn(given, field);
    if (texts === undefined || texts === null) delete metadata[field];
    else if (isJsonObject(texts) && Object.values(texts).every((text) => typeof text === "string"))
      setOwn<JsonValue>(metadata, field, texts);
    else throw new Error(`the converter returned metadata.${field} that are not texts`);
  }
  return metadata;
}

function nameOf(object: JsonObject): string {
  const metadata = getOwn(object, "metadata");
  const named = isJsonObject(metadata) ? metadata : {};
  const namespace = textIn(named, "namespace");
  return `${textIn(object, "kind")} ${namespace === "" ? "" : `${namespace}/`}${textIn(named, "name")} of ${textIn(object, "apiVersion")}`;
}

/** Returns the response as JSON. */
export function conversionReviewText(uid: string, outcome: ConversionOutcome): string {
  const response: JsonObject =
    "failure" in outcome
      ? { uid, convertedObjects: [], result: { metadata: {}, status: "Failure", message: outcome.failure } }
      : { uid, convertedObjects: [...outcome.objects], result: { metadata: {}, status: "Success" } };
  return encodeJson({ kind: "ConversionReview", apiVersion, response });
}
