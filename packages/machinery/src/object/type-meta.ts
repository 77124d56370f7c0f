/** What kind an object says it is: its `apiVersion` and `kind`, read and written together. `runtime.Object` in client-go. */
import { apiVersionOf, groupVersionKindFrom } from "./group-version.ts";
import type { GroupVersionKind } from "./group-version.ts";
import type { TypeMeta } from "./object.ts";
import { getOwn } from "../json/own.ts";

/**
 * An object inside another whose kind is not known beforehand (`runtime.RawExtension`): the items of a `v1` List, the object of an
 * AdmissionReview. On the wire it is the object itself, nothing is wrapped around it.
 */
export type RawExtension = TypeMeta;

/** The kind an object says it is; what is missing, is no text, or cannot be read is the empty string. */
export function groupVersionKindOf(object: unknown): GroupVersionKind {
  return groupVersionKindFrom(textField(object, "apiVersion"), textField(object, "kind"));
}

/** Writes the kind into an object that is the caller's own; the empty kind clears it. */
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
