/** The parts of a request that can be read without its body: path, query and headers. */
import { getOwn, parseQuery } from "@drover/machinery";
import type { HttpHeaders, HttpRequest, Query } from "@drover/machinery";

/** A request without its body. */
export type PlainRequest = Pick<HttpRequest, "method" | "path" | "headers">;

/** Returns the values of a header joined by commas; "" when the request has no such header. */
export function headerText({ headers }: Pick<PlainRequest, "headers">, name: string): string {
  const value = getOwn(headers, name) ?? "";
  return typeof value === "string" ? value : value.join(",");
}

/** Returns the first value of a header, as Go's `Header.Get` does; "" when the request has no such header. */
export function firstHeader(headers: HttpHeaders, name: string): string {
  const value = getOwn(headers, name) ?? "";
  return typeof value === "string" ? value : (value[0] ?? "");
}

/** Splits the path of a request line from its query. */
export function splitPath(path: string): readonly [path: string, query: Query] {
  const at = path.indexOf("?");
  return at === -1 ? [path, new Map()] : [path.slice(0, at), parseQuery(path.slice(at + 1))];
}
