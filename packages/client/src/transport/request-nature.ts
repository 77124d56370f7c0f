/** What a request is by nature, told from its method and path alone: that decides about deadlines, limits and repeating. */
import type { HttpRequest } from "@drover/machinery";

type RequestLine = Pick<HttpRequest, "method" | "path">;

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether it only reads, so that doing it twice is as good as once. */
export function isSafe({ method }: Pick<HttpRequest, "method">): boolean {
  return safeMethods.has(method);
}

/** Whether it is a watch. */
export function isWatch({ method, path }: RequestLine): boolean {
  return method === "GET" && (truthy(path, "watch") || /^\/(?:api\/[^/?]+|apis\/[^/?]+\/[^/?]+)\/watch\//.test(path));
}

/**
 * Whether the answer may go on for hours: a watch, logs that are followed, or whatever passes through the server to a
 * pod, service or node.
 */
export function isStream(request: RequestLine): boolean {
  return isWatch(request) || truthy(request.path, "follow") || /\/(?:proxy|exec|attach|portforward)(?:\/|\?|$)/.test(request.path);
}

/** As the server reads booleans in a query: anything but "false" and "0", present without a value included. */
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

/** The method and the path without its query, for messages. */
export function attemptOf({ method, path }: RequestLine): string {
  const mark = path.indexOf("?");
  return `${method} ${mark === -1 ? path : path.slice(0, mark)}`;
}
