/** The kind of an object: its `apiVersion` and `kind`, read and written together. `runtime.Object` in client-go. */
import { apiVersionOf, groupVersionKindFrom } from "./group-version.ts";
import type { GroupVersionKind } from "./group-version.ts";
import type { TypeMeta } from "./object.ts";
import { getOwn } from "../json/own.ts";

/**
 * An embedded object of any kind (`runtime.RawExtension`): an item of a `v1` List, the object of an AdmissionReview. On the wire it
 * is the object itself, without a wrapper.
 */
export type RawExtension = TypeMeta;

/** Returns the kind an object states; missing, non-text and invalid parts are the empty string. */
export function groupVersionKindOf(object: unknown): GroupVersionKind {
  return groupVersionKindFrom(textField(object, "apiVersion"), textField(object, "kind"));
}

/** Sets the kind of an object that the caller owns; the empty kind clears it. */
export function setGroupVersionKind(object: TypeMeta, kind: GroupVersionKind): void {
  const apiVersion = apiVersionOf(kind);
  if (apiVersion === "") delete object.apiVersion;
  else object.apiVersion = apiVersion;
  if (kind.kind === "") delete object.kind;
  else object.kind = kind.kind;
}

function textField(object: unknown, field: string): string {
  if (typeof object !== "object" || object === null) return "";
  const value = getOwn(object as Readonly<Record<string, unknown>>, field);
  return typeof value === "string" ? value : "";
}
