/**
 * The path of a resource.
 *
 *     ResourcePath → formatResourcePath → "/apis/apps/v1/namespaces/shop/deployments/web/scale" → parseResourcePath
 *
 * request-info.ts derives the verb.
 */
import { quoteGo } from "../go/go-quote.ts";
import type { GroupVersionResource } from "../object/group-version.ts";
import { checkPathSegmentName } from "../validation/object-name.ts";
import { definedOnly } from "../json/defined-only.ts";
import type { AllMembers } from "../json/defined-only.ts";
import { encodeUtf8Component, unescapePercent } from "./query.ts";

export interface ResourcePath extends GroupVersionResource {
  /** Absent for cluster-scoped resources, and for all namespaces. */
  readonly namespace?: string;
  /** Absent for the collection. */
  readonly name?: string;
  /** "status"; may have several segments: "proxy/metrics". */
  readonly subresource?: string;
}

/** An invalid path, or one that cannot be written. */
export class ResourcePathError extends Error {
  override readonly name = "ResourcePathError";
}

/** Writes a path, percent-encoded as client-go does. Throws a {@link ResourcePathError} for names that no path can contain. */
export function formatResourcePath({ group, version, resource, namespace, name, subresource }: ResourcePath): string {
  checkSegment("resource", resource);
  if (namespace === "" && name !== undefined)
    throw new ResourcePathError("an empty namespace may not be set when a resource name is provided");
  let path = group === "" ? `/api/${encodeSegment(version)}` : `/apis/${encodeSegment(group)}/${encodeSegment(version)}`;
  if (namespace !== undefined) {
    checkSegment("namespace", namespace);
    if (namespace !== "") path += `/namespaces/${encodeSegment(namespace)}`;
  }
  path += `/${encodeSegment(resource.toLowerCase())}`;
  if (name === "" || (name === undefined && subresource !== undefined)) throw new ResourcePathError("resource name may not be empty");
  if (name !== undefined) {
    checkSegment("resource name", name);
    path += `/${encodeSegment(name)}`;
  }
  if (subresource === undefined) return path;
  for (const segment of subresource.split("/")) {
    checkSegment("subresource", segment);
    path += `/${encodeSegment(segment)}`;
  }
  return path;
}

/**
 * Parses a path (without its query); undefined when it is not that of a resource: "/version", "/apis/apps/v1". `namespaces/{name}`
 * is the resource "namespaces" and has no namespace here. Throws a {@link ResourcePathError} for an invalid escape.
 */
export function parseResourcePath(path: string): ResourcePath | undefined {
  const split = splitResourcePath(splitPath(decodePath(path)));
  if (split === undefined || split.parts.length === 0) return undefined;
  const {
    group,
    version,
    namespace,
    parts: [resource = "", name, ...subresources],
  } = split;
  return definedOnly({
    group,
    version,
    resource,
    name,
    namespace: resource === "namespaces" ? undefined : namespace,
    subresource: subresources.length > 0 ? subresources.join("/") : undefined,
  } satisfies AllMembers<ResourcePath>);
}

/** A split resource path: the namespace and `[resource, name, subresource, …]`. */
export interface SplitResourcePath {
  /** "api" or "apis". */
  readonly prefix: string;
  readonly group: string;
  readonly version: string;
  /** "watch" or "proxy": the old form with a verb in the path, before the namespace. */
  readonly verb: string | undefined;
  readonly namespace: string | undefined;
  readonly parts: readonly string[];
}

/** Decodes a path. Throws a {@link ResourcePathError} for an invalid escape. */
export function decodePath(path: string): string {
  const decoded = unescapePercent(path, "path");
  if (decoded === undefined)
    throw new ResourcePathError(`invalid URL escape ${quoteGo(/%(?![0-9A-Fa-f]{2}).{0,2}/s.exec(path)?.[0] ?? "")}`);
  return decoded;
}

const slash = 47;

/** Returns the segments of a decoded path, ignoring leading and trailing slashes. */
export function splitPath(path: string): string[] {
  let [from, to] = [0, path.length];
  while (from < to && path.charCodeAt(from) === slash) from++;
  while (to > from && path.charCodeAt(to - 1) === slash) to--;
  return from === to ? [] : path.slice(from, to).split("/");
}

/** Splits a resource path; undefined when it is not one. */
export function splitResourcePath(segments: readonly string[]): SplitResourcePath | undefined {
  const [prefix = ""] = segments;
  const grouped = prefix === "apis";
  if (prefix !== "api" && !grouped) return undefined;
  const group = grouped ? (segments[1] ?? "") : "";
  let at = grouped ? 2 : 1;
  const version = segments[at++] ?? "";
  if (at >= segments.length) return undefined;
  const verb = segments[at] === "watch" || segments[at] === "proxy" ? segments[at++] : undefined;
  const namespace = segments[at] === "namespaces" ? segments[at + 1] : undefined;
  const inside = segments[at + 2];
  // These two names after a namespace are its subresources; any other is a resource within it.
  if (namespace !== undefined && inside !== undefined && inside !== "status" && inside !== "finalize") at += 2;
  return { prefix, group, version, verb, namespace, parts: segments.slice(at) };
}

function checkSegment(what: string, segment: string): void {
  const problems = checkPathSegmentName(segment);
  if (problems.length > 0) throw new ResourcePathError(`invalid ${what} ${quoteGo(segment)}: [${problems.join(" ")}]`);
}

// These need no escape in a segment.
function encodeSegment(segment: string): string {
  const encoded = encodeUtf8Component(segment);
  if (encoded === segment) return segment;
  return encoded.replaceAll(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)));
}
