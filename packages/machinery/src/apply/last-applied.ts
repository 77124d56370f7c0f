/**
 * The last-applied annotation of client-side `kubectl apply`. An apply by the manager "kubectl" takes over from it: fields that
 * match the annotation are no conflict, and the annotation is kept up to date for older clients.
 */
import { printGoJson } from "../json/go-json.ts";
import { byteLength } from "../go/byte-text.ts";
import { getOwn, setOwn } from "../json/own.ts";
import { annotationsBytesMax } from "../validation/annotations.ts";
import { decodeJson } from "../json/json-decode.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { compareTyped } from "./compare-typed.ts";
import { subtractFieldSet } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import { toFieldSet } from "./to-field-set.ts";
import type { TypedObject } from "./typed-object.ts";
import { validateTyped } from "./validate-typed.ts";

const lastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

/** The manager whose applies continue client-side ones. */
export const kubectlManager = "kubectl";

/** Returns the fields of a live object that still match the annotation; undefined without a usable annotation. */
export function lastAppliedFields(live: TypedObject): FieldSet | undefined {
  const lastApplied = parse(getOwn(annotationsOf(live.value), lastAppliedAnnotation));
  if (lastApplied === undefined || lastApplied["apiVersion"] !== live.apiVersion) return undefined;
  // The server does not tolerate duplicates here, on either side.
  if (validateTyped(live.value, live.type) !== undefined || validateTyped(lastApplied, live.type) !== undefined) return undefined;
  const { added, modified, removed } = compareTyped(lastApplied, live.value, live.type);
  return [modified, added, removed].reduce(subtractFieldSet, toFieldSet(lastApplied, live.type));
}

/** Returns the object with an updated annotation, if it has one. Removes an annotation that would be too large. */
export function refreshLastApplied(object: JsonObject, config: JsonObject): JsonObject {
  const annotations = annotationsOf(object);
  if (typeof annotations[lastAppliedAnnotation] !== "string" || annotations[lastAppliedAnnotation] === "") return object;
  const refreshed: JsonObject = { ...texts(annotations), [lastAppliedAnnotation]: `${printGoJson(withoutAnnotation(config))}\n` };
  if (annotationsBytes(refreshed) > annotationsBytesMax) delete refreshed[lastAppliedAnnotation];
  return withAnnotations(object, refreshed);
}

function parse(text: JsonValue | undefined): JsonObject | undefined {
  if (typeof text !== "string" || text === "") return undefined;
  try {
    const value = decodeJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // The annotation is not a configuration.
    return undefined;
  }
}

function withoutAnnotation(config: JsonObject): JsonObject {
  const metadata = config["metadata"];
  if (!isJsonObject(metadata) || !Object.hasOwn(metadata, "annotations")) return config;
  const { annotations, ...rest } = metadata;
  if (!isJsonObject(annotations)) return { ...config, metadata: rest };
  const { [lastAppliedAnnotation]: _, ...others } = annotations;
  return withAnnotations(config, texts(others));
}

// The server decodes annotations as a map of strings before it writes them back, and a null is then an empty string.
function texts(annotations: JsonObject): JsonObject {
  const read: JsonObject = {};
  for (const [key, value] of Object.entries(annotations)) setOwn(read, key, value ?? "");
  return read;
}

function annotationsOf(object: JsonObject): JsonObject {
  const metadata = object["metadata"];
  return isJsonObject(metadata) && isJsonObject(metadata["annotations"]) ? metadata["annotations"] : {};
}

function withAnnotations(object: JsonObject, annotations: JsonObject): JsonObject {
  const result: JsonObject = { ...object };
  const metadata: JsonObject = isJsonObject(object["metadata"]) ? { ...object["metadata"] } : {};
  setOwn<JsonValue>(metadata, "annotations", annotations);
  setOwn<JsonValue>(result, "metadata", metadata);
  return result;
}

const annotationsBytes = (annotations: JsonObject): number =>
  Object.entries(annotations).reduce((sum, [key, value]) => sum + byteLength(key) + (typeof value === "string" ? byteLength(value) : 0), 0);
