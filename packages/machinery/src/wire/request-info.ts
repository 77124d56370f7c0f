/**
 * Verb, resource and name of a request, as the API server derives them first: authorization, audit and routing use them.
 *
 *     method, path and query → requestInfo → { verb: "list", resource: "pods", namespace: "shop", … }
 */
import { parseFieldSelector } from "../selector/field-selector.ts";
import { parseSelector } from "../selector/parse-selector.ts";
import { SelectorError } from "../selector/selector-error.ts";
import { checkPathSegmentName } from "../validation/object-name.ts";
import { parseListOptions } from "./list-options.ts";
import type { ListOptions } from "./list-options.ts";
import { QueryError, parseQuery, readBoolean } from "./query.ts";
import type { Query } from "./query.ts";
import { ResourcePathError, decodePath, splitPath, splitResourcePath } from "./resource-path.ts";

export interface RequestInfo {
  readonly isResourceRequest: boolean;
  /** The decoded path. */
  readonly path: string;
  /**
   * "get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"; the method in lower case for other paths; ""
   * for unknown methods.
   */
  readonly verb: string;
  /** "api" or "apis". Empty, like all below, when unknown. */
  readonly apiPrefix: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  /** Also set for the namespace itself: `namespaces/shop` has namespace and name "shop". */
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  /** From the path or, for lists and watches, from a field selector on `metadata.name`. */
  readonly name: string;
  /** `[resource, name, subresource, …]` */
  readonly parts: readonly string[];
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

const verbs: ReadonlyMap<string, string> = new Map([
  ["POST", "create"],
  ["GET", "get"],
  ["HEAD", "get"],
  ["PUT", "update"],
  ["PATCH", "patch"],
  ["DELETE", "delete"],
]);

/** Parses a request line; `target` is the path with its query. Throws a `ResourcePathError` for an invalid path. */
export function requestInfo(method: string, target: string): RequestInfo {
  const mark = target.indexOf("?");
  const path = decodePath(mark === -1 ? target : target.slice(0, mark));
  const query = parseQuery(mark === -1 ? "" : target.slice(mark + 1));
  const split = splitResourcePath(splitPath(path));
  if (split === undefined) return { ...nothing, path, verb: method.toLowerCase() };
  const { verb: verbInPath, namespace = "", parts } = split;
  if (verbInPath !== undefined && parts.length === 0) {
    throw new ResourcePathError(`unable to determine kind and namespace from url, ${target}`);
  }
  const [resource = "", name = "", subresource = ""] = parts;
  const info: RequestInfo = {
    isResourceRequest: true,
    path,
    verb: verbInPath ?? verbs.get(method) ?? "",
    apiPrefix: split.prefix,
    apiGroup: split.group,
    apiVersion: split.version,
    namespace,
    resource,
    name,
    subresource: verbInPath === "proxy" ? "" : subresource,
    parts,
    fieldSelector: "",
    labelSelector: "",
  };
  return verbInPath === undefined ? withSelectors(withCollectionVerb(info, query), query) : withCollectionVerb(info, query);
}

const nothing: RequestInfo = {
  isResourceRequest: false,
  path: "",
  verb: "",
  apiPrefix: "",
  apiGroup: "",
  apiVersion: "",
  namespace: "",
  resource: "",
  subresource: "",
  name: "",
  parts: [],
  fieldSelector: "",
  labelSelector: "",
};

/** Reading or deleting without a name means the collection. */
function withCollectionVerb(info: RequestInfo, query: Query): RequestInfo {
  if (info.name !== "") return info;
  if (info.verb === "delete") return { ...info, verb: "deletecollection" };
  if (info.verb !== "get") return info;
  const verb = readBoolean(query, "watch") === true ? "watch" : "list";
  const name = selectedName(query);
  return { ...info, verb, name: name !== undefined && checkPathSegmentName(name).length === 0 ? name : "" };
}

/** The single name that a list selects. Invalid options select none; the response to the request reports them. */
function selectedName(query: Query): string | undefined {
  try {
    const { labelSelector = "", fieldSelector = "" }: ListOptions = parseListOptions(query);
    parseSelector(labelSelector);
    return parseFieldSelector(fieldSelector).requiresExactMatch("metadata.name");
  } catch (error) {
    if (error instanceof QueryError || error instanceof SelectorError) return undefined;
    throw error;
  }
}

function withSelectors(info: RequestInfo, query: Query): RequestInfo {
  if (info.verb !== "list" && info.verb !== "watch" && info.verb !== "deletecollection") return info;
  return { ...info, fieldSelector: query.get("fieldSelector")?.[0] ?? "", labelSelector: query.get("labelSelector")?.[0] ?? "" };
}
