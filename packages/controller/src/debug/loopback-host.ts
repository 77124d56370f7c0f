/**
 * Checks who a request is meant for. A page in a browser can make its own name resolve to this machine (DNS rebinding); the Host header
 * still has that name.
 */
import type { HttpHeaders } from "@drover/machinery";

/** Reports whether the Host header names this machine by a loopback name or address, with any port. */
export function isLoopbackHost(host: string): boolean {
  const [, name = ""] = /^(\[[0-9a-f:.]+\]|[^:]+)(?::\d{1,5})?$/i.exec(host) ?? [];
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(name);
}

/** Returns why a request is refused; undefined if it is not. Programs send no Origin; pages of other sites do, or send Sec-Fetch-Site. */
export function refusalOf(headers: HttpHeaders): string | undefined {
  const { host, origin, "sec-fetch-site": site } = headers;
  if (typeof host !== "string" || !isLoopbackHost(host)) return "the Host header must be localhost, 127.0.0.1 or [::1]";
  if (origin !== undefined) return "requests of web pages are refused: the request has an Origin header";
  if (site !== undefined && site !== "none" && site !== "same-origin") return "requests of web pages are refused: Sec-Fetch-Site is set";
  return undefined;
}
