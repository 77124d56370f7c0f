/**
 * Splits an API path into its parts.
 *
 *     "/apis/apps/v1/namespaces/shop/deployments/web/scale"
 *       → { group: "apps", resource: "deployments", namespace: "shop", name: "web", subresource: "scale" }
 */
export interface RequestPath {
  /** Empty for the core group. */
  readonly group: string;
  readonly resource: string;
  /** Empty if the path has none. */
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
}

/** Returns undefined for a path without a resource: discovery, health. */
export function requestPath(path: string): RequestPath | undefined {
  const [, root, ...words] = (path.split("?")[0] ?? "").split("/");
  const rest = root === "api" ? words.slice(1) : root === "apis" ? words.slice(2) : [];
  const [first = "", second = ""] = rest;
  if (first === "") return undefined;
  const isInside = first === "namespaces" && rest.length > 2 && !["status", "finalize"].includes(rest[2] ?? "");
  const [resource = "", name = "", subresource = ""] = isInside ? rest.slice(2) : rest;
  const group = root === "apis" ? (words[0] ?? "") : "";
  return { group, resource, namespace: isInside ? decodeURIComponent(second) : "", name: decodeURIComponent(name), subresource };
}
