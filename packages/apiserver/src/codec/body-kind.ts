/**
 * Determines the kind of a body and whether its endpoint accepts it.
 *
 *     well-formed text → readBodyKind → GroupVersionKind
 */
import { apiVersionOf, parseGroupVersion, quoteGo } from "@drover/machinery";
import type { GroupVersionKind } from "@drover/machinery";
import type { Envelope } from "@drover/machinery/protobuf";
import { readTyped } from "./read-typed.ts";
import { StructShape } from "@drover/api/shapes";
import type { ShapeField } from "@drover/api/shapes";
import { UnmarshalError } from "./unmarshal-error.ts";

const textField = (name: string): ShapeField => ({
  name,
  shape: { kind: "string", goType: "string" },
  pointer: false,
  omit: "empty",
  path: [name],
});

/** The anonymous struct into which kube-apiserver reads the type first. */
const typeMetaShape: StructShape = new StructShape(
  String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`,
  "",
  () => ({ fields: [textField("apiVersion"), textField("kind")], message: [] }),
);

/**
 * Returns the kind of a well-formed body; missing parts are those of the endpoint. Names match case-insensitively here, unlike
 * other fields. Throws an `UnmarshalError`.
 */
export function readBodyKind(text: string, endpoint: GroupVersionKind): GroupVersionKind {
  const { apiVersion = "", kind = "" } = readTypeMeta(text);
  const { group, version } = readGroupVersion(apiVersion);
  const isUnversioned = version === "" && (group === "" || group === endpoint.group);
  return {
    group: isUnversioned ? endpoint.group : group,
    version: isUnversioned ? endpoint.version : version,
    kind: kind === "" ? endpoint.kind : kind,
  };
}

/** Returns the kind that a protobuf envelope names; missing or malformed parts are those of the endpoint. */
export function envelopeKind({ apiVersion, kind }: Pick<Envelope, "apiVersion" | "kind">, endpoint: GroupVersionKind): GroupVersionKind {
  const [, group = "", version] = /^(?:([^/]*)\/)?([^/]+)$/.exec(apiVersion) ?? [];
  return { ...(version === undefined ? endpoint : { group, version }), kind: kind === "" ? endpoint.kind : kind };
}

/** Whether two kinds differ in nothing but the version. */
export function isSameStoredKind(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.kind === b.kind && packageOf(a) === packageOf(b);
}

/** Kinds of an old group are in the packages of the groups that they moved to. */
function packageOf({ group, kind }: GroupVersionKind): string {
  if (kind === "Scale") return "autoscaling";
  if (group !== "extensions") return internalPackage(group);
  return kind.startsWith("Ingress") || kind.startsWith("NetworkPolicy") ? "networking" : "apps";
}

/** Returns the Go package of a group's internal types: "core", "rbac". */
export function internalPackage(group: string): string {
  const first = group.split(".", 1)[0] ?? "";
  return first === "" || first === "events" ? "core" : first;
}

/** kube-apiserver's message for an unknown kind. */
export function notRegistered(kind: GroupVersionKind): string {
  return `no kind ${quoteGo(kind.kind)} is registered for version ${quoteGo(apiVersionOf(kind))} in scheme "pkg/runtime/scheme.go:111"`;
}

function readTypeMeta(text: string): { readonly apiVersion?: string; readonly kind?: string } {
  try {
    return (readTyped(text, typeMetaShape, { foldsNames: true }).value ?? {}) as { readonly apiVersion?: string; readonly kind?: string };
  } catch (error) {
    throw UnmarshalError.plain(`couldn't get version/kind; json parse error: ${(error as Error).message}`);
  }
}

function readGroupVersion(apiVersion: string): { readonly group: string; readonly version: string } {
  try {
    return parseGroupVersion(apiVersion);
  } catch (error) {
    throw UnmarshalError.plain((error as Error).message);
  }
}
