/** Finds the resource and the verb that a request is for. */
import { checkPathSegmentName, newBadRequest, newFailure, newMethodNotSupported, newNotFound, quoteGo } from "@drover/machinery";
import type { RequestInfo, Verb } from "@drover/machinery";
import type { Registry } from "../registry/registry.ts";
import type { Resource } from "../registry/resource.ts";
import { StatusError } from "../status-error.ts";

export interface Route {
  readonly resource: Resource;
  /** The verb as resources list it; HEAD counts as "get". */
  readonly verb: Verb;
}

/** Returns the route. Throws the 404 or 405 of the served group version; undefined means the plain "404 page not found". */
export function route(method: string, info: RequestInfo, registry: Registry): Route | undefined {
  const { apiGroup: group, apiVersion: version, resource: plural } = info;
  const resource = registry.find({ group, version, resource: plural });
  if (resource === undefined) {
    // "/apis//v1" names no group, and not the core.
    if (registry.hasBuiltInGroup(group) && (group !== "" || info.apiPrefix === "api")) throw noResource();
    return undefined;
  }
  return resource.isCustom ? customRoute(info, resource) : builtInRoute(method, info, resource);
}

const methodVerbs: Readonly<Record<"object" | "collection", ReadonlyMap<string, Verb>>> = {
  object: new Map([
    ["GET", "get"],
    ["PUT", "update"],
    ["PATCH", "patch"],
    ["DELETE", "delete"],
  ]),
  collection: new Map([
    ["GET", "list"],
    ["POST", "create"],
    ["DELETE", "deletecollection"],
  ]),
};

const namespacesBelowNamespace = /\/namespaces\/[^/]+\/namespaces(?:\/|$)/;

function builtInRoute(method: string, info: RequestInfo, resource: Resource): Route {
  const { kind } = resource;
  const [, name = "", subresource = "", ...deeper] = info.parts;
  const isInNamespace = info.namespace !== "" && (kind.plural !== "namespaces" || namespacesBelowNamespace.test(info.path));
  if (kind.scope === "Cluster" && isInNamespace) throw noResource();
  const isAcross = kind.scope === "Namespaced" && info.namespace === "";
  if (isAcross && name !== "") throw noResource();
  if (subresource !== "") {
    const known = Object.hasOwn(kind.subresources, subresource) ? kind.subresources[subresource] : undefined;
    if (known === undefined || (deeper.length > 0 && subresource !== "proxy")) throw noResource();
    checkPathName(name);
    const verb = methodVerbs.object.get(method) ?? (method === "POST" ? "create" : undefined);
    if (verb === undefined || !known.verbs.includes(verb)) throw notAllowed();
    return { resource, verb };
  }
  checkPathName(name);
  // Reviews can only be created, so they have no objects to name.
  if (name !== "" && !kind.verbs.some((own) => own !== "create" && own !== "list")) throw noResource();
  const verb = name === "" ? methodVerbs.collection.get(method) : methodVerbs.object.get(method);
  const wanted: Verb | undefined = verb === "list" && info.verb === "watch" ? "watch" : verb;
  if (wanted === undefined || !kind.verbs.includes(wanted) || (isAcross && wanted !== "list" && wanted !== "watch")) throw notAllowed();
  return { resource, verb: info.verb === "watch" && wanted === "get" && isOldWatch(info) ? "watch" : wanted };
}

/** `/api/v1/watch/…`, the deprecated watch paths, which also exist for single objects. */
const isOldWatch = ({ path }: RequestInfo): boolean => /^\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+)\/watch\//.test(path);

function customRoute(info: RequestInfo, resource: Resource): Route | undefined {
  const { kind } = resource;
  const [, name = "", subresource = ""] = info.parts;
  checkPathName(name);
  const isInNamespace = info.namespace !== "";
  if (kind.scope === "Cluster" && isInNamespace) return undefined;
  if (kind.scope === "Namespaced" && !isInNamespace && info.verb !== "list" && info.verb !== "watch") return undefined;
  const groupResource = { group: kind.group, resource: kind.plural };
  if (subresource !== "") {
    const known = Object.hasOwn(kind.subresources, subresource) ? kind.subresources[subresource] : undefined;
    if (known === undefined) throw new StatusError(newNotFound(groupResource, name));
    const verb = info.verb as Verb;
    if (!known.verbs.includes(verb)) throw new StatusError(newMethodNotSupported(groupResource, info.verb));
    return { resource, verb };
  }
  if (!kind.verbs.includes(info.verb as Verb)) throw new StatusError(newMethodNotSupported(groupResource, info.verb));
  if (name === "" && (info.verb === "update" || info.verb === "patch")) throw new StatusError(newBadRequest("name must be provided"));
  return { resource, verb: info.verb as Verb };
}

/** Rejects names that could escape their prefix in the store. */
function checkPathName(name: string): void {
  const [problem] = name === "" ? [] : checkPathSegmentName(name);
  if (problem !== undefined) throw new StatusError(newBadRequest(`Name parameter invalid: ${quoteGo(name)}: ${problem}`));
}

/** The 404 of a served group version that lacks the resource. */
export const noResource = (): StatusError =>
  new StatusError(newFailure(404, "NotFound", "the server could not find the requested resource", {}));

const notAllowed = (): StatusError =>
  new StatusError(newFailure(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", {}));
