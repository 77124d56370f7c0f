/**
 * The resource, namespace, name and subresource of a request.
 *
 *     Kind, a row of discovery → ResourceTarget → placeOf → path and attempt
 *
 * The attempt is the same in words, "update deployments/web in shop"; every error has it.
 */
import { formatResourcePath, errorText } from "@drover/machinery";
import type { GroupVersionResource, ResourceRow, RestMapping, Scope } from "@drover/machinery";

/** One resource of the server and the kind of its objects. */
export interface ResourceTarget extends GroupVersionResource {
  readonly kind: string;
  readonly scope: Scope;
}

/** Location within the resource. The default namespace is the client's; `"*"` is all of them. */
export interface Location {
  /** Namespace of the objects. @default the client's */
  readonly namespace?: string | undefined;
  /** Name of the object. @default all objects */
  readonly name?: string | undefined;
  /** May have several segments. @default the object itself */
  readonly subresource?: string | undefined;
}

/** Location of a request, ready to be sent. */
export interface Place extends GroupVersionResource {
  /** Percent-encoded, without a query. */
  readonly path: string;
  /** The operation, for people: "get pods/web-0 in shop". */
  readonly attempt: string;
  /** Name of the object. @default none: the request is about many */
  readonly name?: string;
}

/** Returns the target of a kind, a row of discovery or a mapping. */
export function targetOf(source: ResourceRow | RestMapping | ResourceTarget): ResourceTarget {
  if (typeof source !== "object" || source === null)
    throw new TypeError(
      `the kind is ${typeof source}, as after an import of a name that the module does not export\n  fix: import { ConfigMap } from "drover/kinds", without "type", or defineResource({ … }) for your own`,
    );
  if (isMapping(source)) return { ...source.resource, kind: source.kind.kind, scope: source.scope };
  const { group, version, kind, scope } = source;
  return { group, version, kind, scope, resource: "plural" in source ? source.plural : source.resource };
}

const isMapping = (source: ResourceRow | RestMapping | ResourceTarget): source is RestMapping => typeof source.kind === "object";

/** All namespaces, for lists and watches. */
export const allNamespaces = "*";

/**
 * Returns the path and attempt of a request. Throws a `TypeError` for an invalid location: a namespace for a cluster-scoped
 * resource, an empty one, or all of them for one object.
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
 * Returns the place of one object. Throws a `TypeError` without a name, also if the types were bypassed: the path would be
 * that of the collection, and a deletion would delete all objects.
 */
export function placeOfOne(verb: string, target: ResourceTarget, location: Location, defaultNamespace: string): Place {
  const { name } = location;
  if (typeof name !== "string" || name === "")
    throw new TypeError(
      `${verb} ${target.resource}: the name is ${name === "" ? "empty" : typeof name === "object" ? "an object" : typeof name}; pass the name of one object`,
    );
  return placeOf(verb, target, location, defaultNamespace);
}

/** Undefined means all namespaces. */
function namespaceOf(attempt: string, { namespace, name }: Location, defaultNamespace: string): string | undefined {
  const given = namespace ?? defaultNamespace;
  if (given === "")
    throw new TypeError(`${attempt}: the namespace is empty; omit it for the client's own, or use "${allNamespaces}" for all of them`);
  if (given !== allNamespaces) return given;
  if (name !== undefined) throw new TypeError(`${attempt}: one object is in one namespace; "${allNamespaces}" is for lists and watches`);
  return undefined;
}

function refuseNamespace(attempt: string, { namespace }: Location): undefined {
  if (namespace !== undefined) throw new TypeError(`${attempt}: this resource is not namespaced; omit the namespace "${namespace}"`);
}

function attempted<T>(attempt: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new TypeError(`${attempt}: ${errorText(error)}`, { cause: error });
  }
}
