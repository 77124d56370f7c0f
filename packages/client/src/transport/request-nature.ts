/**
 * Classifies a request by its method and path, to decide about deadlines, limits and retries.
 */
import type { HttpRequest } from "@drover/machinery";

type RequestLine = Pick<HttpRequest, "method" | "path">;

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Reports whether it only reads and so can be repeated. */
export function isSafe({ method }: Pick<HttpRequest, "method">): boolean {
  return safeMethods.has(method);
}

/** Reports whether it is a watch. */
export function isWatch({ method, path }: RequestLine): boolean {
  return method === "GET" && (truthy(path, "watch") || /^\/(?:api\/[^/?]+|apis\/[^/?]+\/[^/?]+)\/watch\//.test(path));
}

/**
 * Reports whether the response may last for hours: a watch, followed logs, or a connection through the server to a pod,
 * service or node.
 */
export function isStream(request: RequestLine): boolean {
  return isWatch(request) || truthy(request.path, "follow") || /\/(?:proxy|exec|attach|portforward)(?:\/|\?|$)/.test(request.path);
}

/** As the server parses booleans in a query: true unless "false" or "0", also without a value. */
function truthy(path: string, name: string): boolean {
  const mark = path.indexOf("?");
  if (mark === -1) return false;
  const value = path
    .slice(mark + 1)
    .split("&")
    .find((pair) => pair === name || pair.startsWith(`${name}=`));
  if (value === undefined) return false;
  const given = value.slice(name.length + 1).toLowerCase();
  return given !== "false" && given !== "0";
}

/** Returns the method and the path without its query, for messages. */
export function attemptOf({ method, path }: RequestLine): string {
  const mark = path.indexOf("?");
  return `${method} ${mark === -1 ? path : path.slice(0, mark)}`;
}
