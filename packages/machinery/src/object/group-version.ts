/**
 * Names of kinds and resources, and their text forms. The core group is the empty string, and its `apiVersion` has no slash: "v1".
 *
 *     "apps/v1" ⇄ GroupVersion            an object's apiVersion
 *     "deployments.v1.apps" → resource     as typed on a command line
 */

/** An API group and a version. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}
/** A kind, regardless of version. */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}
/** A resource, regardless of version. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}
/** A kind in one version. */
export interface GroupVersionKind extends GroupVersion, GroupKind {}
/** A resource in one version. */
export interface GroupVersionResource extends GroupVersion, GroupResource {}

/** Parses an `apiVersion`; "" and "/" are the empty group version. Throws for more than one slash. */
export function parseGroupVersion(text: string): GroupVersion {
  if (text === "" || text === "/") return { group: "", version: "" };
  const slash = text.indexOf("/");
  if (slash === -1) return { group: "", version: text };
  if (text.includes("/", slash + 1)) throw new Error(`unexpected GroupVersion string: ${text}`);
  return { group: text.slice(0, slash), version: text.slice(slash + 1) };
}

/** Returns the `apiVersion` of a group version: "apps/v1", or "v1" for the core group. */
export function apiVersionOf({ group, version }: GroupVersion): string {
  return group === "" ? version : `${group}/${version}`;
}

/** Returns the kind named by an object's two type fields; an invalid `apiVersion` counts as empty. */
export function groupVersionKindFrom(apiVersion: string, kind: string): GroupVersionKind {
  const readable = apiVersion.indexOf("/") === apiVersion.lastIndexOf("/");
  return { ...parseGroupVersion(readable ? apiVersion : ""), kind };
}

/** Parses "deployments.apps": everything after the first dot is the group. */
export function parseGroupResource(text: string): GroupResource {
  const [resource, group] = splitAtDot(text);
  return { group, resource };
}

/** Parses "Deployment.apps": everything after the first dot is the group. */
export function parseGroupKind(text: string): GroupKind {
  const [kind, group] = splitAtDot(text);
  return { group, kind };
}

/**
 * Parses a resource as typed on a command line. "deployments.v1.apps" may name a version, or a group called "v1.apps"; returns both
 * readings, and `versioned` is the one to try first. Fewer than two dots have no versioned reading.
 */
export function parseResourceArg(text: string): { readonly versioned?: GroupVersionResource; readonly unversioned: GroupResource } {
  const unversioned = parseGroupResource(text);
  if (!unversioned.group.includes(".")) return { unversioned };
  const [version, group] = splitAtDot(unversioned.group);
  return { versioned: { group, version, resource: unversioned.resource }, unversioned };
}

/** Parses a kind as typed on a command line, "Deployment.v1.apps", with the same two readings as `parseResourceArg`. */
export function parseKindArg(text: string): { readonly versioned?: GroupVersionKind; readonly unversioned: GroupKind } {
  const unversioned = parseGroupKind(text);
  if (!unversioned.group.includes(".")) return { unversioned };
  const [version, group] = splitAtDot(unversioned.group);
  return { versioned: { group, version, kind: unversioned.kind }, unversioned };
}

function splitAtDot(text: string): readonly [before: string, after: string] {
  const dot = text.indexOf(".");
  return dot === -1 ? [text, ""] : [text.slice(0, dot), text.slice(dot + 1)];
}

/** Prints a kind as Kubernetes' messages do: "apps/v1, Kind=Deployment", and "/v1, Kind=Pod" in the core group. */
export function printGroupVersionKind({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

/** Prints a resource as Kubernetes' messages do: "apps/v1, Resource=deployments". */
export function printGroupVersionResource({ group, version, resource }: GroupVersionResource): string {
  return `${group}/${version}, Resource=${resource}`;
}

/** "Deployment.apps", or "Pod" in the core group. */
export function printGroupKind({ group, kind }: GroupKind): string {
  return group === "" ? kind : `${kind}.${group}`;
}

/** "deployments.apps", or "pods" in the core group; also the name of a CustomResourceDefinition. */
export function printGroupResource({ group, resource }: GroupResource): string {
  return group === "" ? resource : `${resource}.${group}`;
}

/** Whether group and version are equal. */
export function sameGroupVersion(a: GroupVersion, b: GroupVersion): boolean {
  return a.group === b.group && a.version === b.version;
}

/** Whether both are the same kind, regardless of version. */
export function sameGroupKind(a: GroupKind, b: GroupKind): boolean {
  return a.group === b.group && a.kind === b.kind;
}

/** Whether both are the same resource, regardless of version. */
export function sameGroupResource(a: GroupResource, b: GroupResource): boolean {
  return a.group === b.group && a.resource === b.resource;
}

/** Whether both are the same kind in the same version. */
export function sameGroupVersionKind(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return sameGroupVersion(a, b) && a.kind === b.kind;
}

/** Whether both are the same resource in the same version. */
export function sameGroupVersionResource(a: GroupVersionResource, b: GroupVersionResource): boolean {
  return sameGroupVersion(a, b) && a.resource === b.resource;
}
