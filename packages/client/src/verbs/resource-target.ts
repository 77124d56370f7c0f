/**
 * What a request is about, as far as its path can say: a resource, and in it a namespace, a name, a subresource.
 *
 *     Kind, a row of discovery → ResourceTarget → placeOf → path and attempt
 *
 * The attempt is the same thing in words, "update deployments/web in shop"; every error carries it.
 */
import { formatResourcePath, errorText } from "@drover/machinery";
import type { GroupVersionResource, ResourceRow, RestMapping, Scope } from "@drover/machinery";

/** One resource of the server and the kind of its objects. */
export interface ResourceTarget extends GroupVersionResource {
  readonly kind: string;
  readonly scope: Scope;
}

/** Where in the resource. What is left out of `namespace` is the client's own; `"*"` is all of them. */
export interface Location {
  /** Where objects are. @default the client's own */
  readonly namespace?: string | undefined;
  /** Which object. @default all objects */
  readonly name?: string | undefined;
  /** May have several segments. @default the object itself */
  readonly subresource?: string | undefined;
}

/** A request's target, ready to be sent. */
export interface Place extends GroupVersionResource {
  /** Percent-encoded, without a query. */
  readonly path: string;
  /** What is tried, for people: "get pods/web-0 in shop". */
  readonly attempt: string;
  /** The name of the object. @default none: it is about many */
  readonly name?: string;
}

/** The target of a kind, of a row of discovery or of what a mapper found. */
export function targetOf(source: ResourceRow | RestMapping | ResourceTarget): ResourceTarget {
  if (isMapping(source)) return { ...source.resource, kind: source.kind.kind, scope: source.scope };
  const { group, version, kind, scope } = source;
  return { group, version, kind, scope, resource: "plural" in source ? source.plural : source.resource };
}

const isMapping = (source: ResourceRow | RestMapping | ResourceTarget): source is RestMapping => typeof source.kind === "object";

/** Every namespace at once, where a list or a watch is meant. */
export const allNamespaces = "*";

/**
 * The path of a request and what it tries. Throws a `TypeError` at a place that cannot be: a namespace for a cluster-scoped resource, an
 * empty one, or all of them for one object.
 */
export function placeOf(verb: string, target: ResourceTarget, location: Location, defaultNamespace: string): Place {
  const { name, subresource } = location;
  const where = `${target.resource}${name === undefined ? "" : `/${name}`}${subresource === undefined ? "" : `/${subresource}`}`;
  const bare = `${verb} ${where}`;
  const namespace = target.scope === "Namespaced" ? namespaceOf(bare, location, defaultNamespace) : refuseNamespace(bare, location);
  const attempt = target.scope === "Cluster" ? bare : `${bare} in ${namespace ?? "all namespaces"}`;
  const { group, version, resource } = target;
  const path = attempted(attempt, () =>
    formatResourcePath({
      group,
      version,
      resource,
      ...(namespace === undefined ? {} : { namespace }),
      ...(name === undefined ? {} : { name }),
      ...(subresource === undefined ? {} : { subresource }),
    }),
  );
  return { group, version, resource, path, attempt, ...(name === undefined ? {} : { name }) };
}

/**
 * The place of one object. Throws a `TypeError` without a name, whatever the types said: it would be the place of all
 * objects, and a deletion would delete them all.
 */
export function placeOfOne(verb: string, target: ResourceTarget, location: Location, defaultNamespace: string): Place {
  const { name } = location;
  if (typeof name !== "string" || name === "")
    throw new TypeError(
      `${verb} ${target.resource}: the name is ${name === "" ? "empty" : typeof name === "object" ? "an object" : typeof name}; give the name of one object`,
    );
  return placeOf(verb, target, location, defaultNamespace);
}

/** Undefined: all of them. */
function namespaceOf(attempt: string, { namespace, name }: Location, defaultNamespace: string): string | undefined {
  const given = namespace ?? defaultNamespace;
  if (given === "")
    throw new TypeError(`${attempt}: the namespace is empty; leave it out for the client's own, or say "${allNamespaces}" for all of them`);
  if (given !== allNamespaces) return given;
  if (name !== undefined) throw new TypeError(`${attempt}: one object is in one namespace, "${allNamespaces}" is for lists and watches`);
  return undefined;
}

function refuseNamespace(attempt: string, { namespace }: Location): undefined {
  if (namespace !== undefined)
    throw new TypeError(`${attempt}: this resource is not in any namespace, so "${namespace}" cannot be asked for`);
}

function attempted<T>(attempt: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new TypeError(`${attempt}: ${errorText(error)}`, { cause: error });
  }
}
