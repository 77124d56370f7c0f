/**
 * The text that is stored for an object: JSON without `kind` and `apiVersion`, which the resource knows, and with an empty
 * `metadata.resourceVersion`, which the store knows. Keys are in kube-apiserver's order, so a response is the stored text with
 * these three inserted. Before the text of a custom object stands its version, because a definition can change its storage version.
 */
import { encodeJson, isJsonObject, setOwn } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";

/** In the field order of the Go struct. */
const metadataOrder: readonly string[] = [
  "name",
  "generateName",
  "namespace",
  "selfLink",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "labels",
  "annotations",
  "ownerReferences",
  "finalizers",
  "managedFields",
];

const marker = '"resourceVersion":""';

/** kube-apiserver holds custom resources as maps, so their keys are sorted. */
export function encodeStored(object: JsonObject, { isCustom }: { readonly isCustom: boolean }): string {
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = object;
  const meta = isJsonObject(metadata) ? metadata : {};
  if (!isCustom) return wellFormed(encodeJson({ metadata: inOrder(meta), ...rest }, { escapeHtml: true }));
  const text = encodeJson({ metadata: { ...meta, resourceVersion: "" }, ...rest }, { escapeHtml: true, sortKeys: true });
  // A label or annotation named resourceVersion would be mistaken for the version; then the version goes first.
  const isAmbiguous = [meta["labels"], meta["annotations"]].some((map) => isJsonObject(map) && Object.hasOwn(map, "resourceVersion"));
  if (!isAmbiguous) return wellFormed(text);
  const { resourceVersion: _version, ...others } = meta;
  return wellFormed(encodeJson({ metadata: { resourceVersion: "", ...others }, ...rest }, { escapeHtml: true }));
}

function inOrder(meta: JsonObject): JsonObject {
  const ordered: JsonObject = {};
  for (const key of metadataOrder) {
    const value = key === "resourceVersion" ? "" : meta[key];
    if (value !== undefined) ordered[key] = value;
  }
  for (const [key, value] of Object.entries(meta)) if (!Object.hasOwn(ordered, key)) setOwn<JsonValue>(ordered, key, value);
  return ordered;
}

/** Replaces lone surrogates with U+FFFD, as Go does. */
function wellFormed(text: string): string {
  return text.includes("\\ud")
    ? text.replaceAll(/\\(?:(u)d[89a-f][0-9a-f]{2}|.)/g, (escape, half?: string) => (half === undefined ? escape : "\ufffd"))
    : text;
}

/** Returns the stored text with its resourceVersion filled in. */
export function withVersion(value: string, revision: number): string {
  const at = value.indexOf(marker) + marker.length - 1;
  return `${value.slice(0, at)}${revision}${value.slice(at)}`;
}

const mark = '{"apiVersion":"';

/** Returns the text of a custom object with the version it is written in. */
export const markVersion = (text: string, apiVersion: string): string => `${mark}${apiVersion}",${text.slice(1)}`;

/** Reports whether a custom object is stored in this version; one without a mark is stored in any. */
export const isStoredIn = (value: string, apiVersion: string): boolean =>
  value.startsWith(`${apiVersion}"`, mark.length) || !value.startsWith(mark);

/** Returns the version that a text is marked with; undefined if it has no mark. */
export function markedVersion(value: string): string | undefined {
  return value.startsWith(mark) ? value.slice(mark.length, value.indexOf('"', mark.length)) : undefined;
}

/** Returns the text without its mark. */
export function unmarked(value: string): string {
  return value.startsWith(mark) ? `{${value.slice(value.indexOf('"', mark.length) + 2)}` : value;
}
