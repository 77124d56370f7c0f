/**
 * Replaces the names in a path by placeholders, to group requests in metrics:
 * "/api/v1/namespaces/{namespace}/pods/{name}/log".
 */

/** Returns the template of a path, without its query; of paths outside the API, only the first segment. */
export function pathTemplate(path: string): string {
  const mark = path.indexOf("?");
  const segments = (mark === -1 ? path : path.slice(0, mark)).split("/").filter((segment) => segment !== "");
  const prefixLength = segments[0] === "api" ? 2 : segments[0] === "apis" ? 3 : 0;
  if (prefixLength === 0) return segments.length > 1 ? `/${segments[0]}/{path}` : `/${segments.join("/")}`;
  const rest = segments.slice(prefixLength);
  const verb = rest[0] === "watch" ? rest.splice(0, 1) : [];
  // Subresources of a namespace look like resources within it.
  const isNamespaced =
    rest[0] === "namespaces" && rest.length > 2 && !(rest.length === 3 && (rest[2] === "status" || rest[2] === "finalize"));
  const scope = isNamespaced ? (rest.splice(0, 2), ["namespaces", "{namespace}"]) : [];
  const [resource, name, subresource, ...below] = rest;
  const parts = [resource, name === undefined ? undefined : "{name}", subresource, below.length > 0 ? "{path}" : undefined].filter(
    (part) => part !== undefined,
  );
  return `/${[...segments.slice(0, prefixLength), ...verb, ...scope, ...parts].join("/")}`;
}
