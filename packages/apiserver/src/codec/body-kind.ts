/**
 * Which kind a body says it is, and whether that is what its endpoint takes.
 *
 *     well-formed text → readBodyKind → GroupVersionKind
 */
import { apiVersionOf, parseGroupVersion, quoteGo } from "@drover/machinery";
import type { Envelope, GroupVersionKind } from "@drover/machinery";
import { readTyped } from "./read-typed.ts";
import { StructShape } from "./shape.ts";
import type { ShapeField } from "./shape.ts";
import { UnmarshalError } from "./unmarshal-error.ts";

const textField = (name: string): ShapeField => ({
  name,
  shape: { kind: "string", goType: "string" },
  pointer: false,
  omit: "empty",
  path: [name],
});

/** The nameless struct the server looks through first. */
const typeMetaShape: StructShape = new StructShape(
  String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`,
  "",
  () => ({ fields: [textField("apiVersion"), textField("kind")], message: [] }),
);

/**
 * The kind of a well-formed body; what it does not say is taken from the endpoint. Capitals do not matter here, though
 * they do to the fields
 * themselves. Throws an `UnmarshalError` when there is no telling.
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

/** The kind that an envelope names. What it does not say, or says in no form that is known, is taken from the endpoint. */
export function envelopeKind({ apiVersion, kind }: Pick<Envelope, "apiVersion" | "kind">, endpoint: GroupVersionKind): GroupVersionKind {
  const [, group = "", version] = /^(?:([^/]*)\/)?([^/]+)$/.exec(apiVersion) ?? [];
  return { ...(version === undefined ? endpoint : { group, version }), kind: kind === "" ? endpoint.kind : kind };
}

/** Whether two kinds are the same to whoever stores them, so that only the version is at fault. */
export function isSameStoredKind(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.kind === b.kind && internalPackage(a.group) === internalPackage(b.group);
}

/** What the server calls the package of its own form of a group's kinds: "core", "rbac". */
export function internalPackage(group: string): string {
  const first = group.split(".", 1)[0] ?? "";
  return first === "" || first === "events" ? "core" : first;
}

/** The server's words for a kind that no kind of its own is. */
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
