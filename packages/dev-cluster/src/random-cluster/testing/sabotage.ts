/** Faults that must not happen, injected into all processes of a scene: the checks must notice them. */
import type { HttpRequest, Transport } from "@drover/machinery";

/** The server answers as if it had done it, and has not; for a DELETE it returns the existing object. */
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

/** Requests of a verb for a resource, of one controller or of any. */
export function requestsOf(method: string, path: RegExp, agent = ""): (request: HttpRequest) => boolean {
  return (request) => request.method === method && path.test(request.path) && String(request.headers["user-agent"] ?? "").includes(agent);
}
