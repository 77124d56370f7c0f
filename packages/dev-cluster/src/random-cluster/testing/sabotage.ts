/** Things that must not happen, done to all processes of a scene: whoever checks scenes has to notice them. */
import type { HttpRequest, Transport } from "@drover/machinery";

/** The server answers as if it had done it, and has not; of a DELETE it gives the object that is still there. */
export function pretending(matches: (request: HttpRequest) => boolean): (next: Transport) => Transport {
  return (next) => (request) => {
    if (!matches(request)) return next(request);
    const { body, ...rest } = request;
    if (request.method === "DELETE") return next({ ...rest, method: "GET" });
    return next({
      ...rest,
      ...(body === undefined ? {} : { body }),
      path: `${request.path}${request.path.includes("?") ? "&" : "?"}dryRun=All`,
    });
  };
}

/** The server does it twice. */
export function stuttering(matches: (request: HttpRequest) => boolean): (next: Transport) => Transport {
  return (next) => async (request) => {
    if (matches(request)) await next(request);
    return await next(request);
  };
}

/** Requests of a verb about a resource, of one controller or of anybody. */
export function requestsOf(method: string, path: RegExp, agent = ""): (request: HttpRequest) => boolean {
  return (request) => request.method === method && path.test(request.path) && String(request.headers["user-agent"] ?? "").includes(agent);
}
