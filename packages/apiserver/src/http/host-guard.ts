/**
 * Protects a server on loopback from web pages. A page of any site can make the browser send requests to loopback, and with DNS
 * rebinding even read the responses; it cannot forge `Host` and `Origin`.
 */
import type { HttpHeaders } from "@drover/machinery";

export interface HostGuardOptions {
  /** Allowed host names and addresses besides loopback, without port. @default none */
  readonly names?: readonly string[];
  /** Allowed origins of web pages besides the server's own: "https://dashboard.example.com". @default none */
  readonly origins?: readonly string[];
}

/** Returns the refusal; undefined when the request may pass. */
export type HostGuard = (request: {
  readonly authority: string | undefined;
  readonly encrypted: boolean;
  readonly headers: HttpHeaders;
}) => string | undefined;

/** Guarantees: refuses unknown hosts and pages of other origins. A request without Origin does not come from a page. */
export function hostGuard({ names = [], origins = [] }: HostGuardOptions): HostGuard {
  const ours: ReadonlySet<string> = new Set(names.map((name) => name.toLowerCase().replaceAll(/^\[|\]$/g, "")));
  return ({ authority, encrypted, headers }) => {
    if (authority !== undefined && !isOurs(authority, ours))
      return `host ${JSON.stringify(authority)} is not allowed; use localhost, 127.0.0.1 or a name the server was started with`;
    const { origin, "sec-fetch-site": site } = headers;
    const isOwnPage =
      typeof origin === "string" &&
      (origins.includes(origin) || origin.toLowerCase() === `${encrypted ? "https" : "http"}://${(authority ?? "").toLowerCase()}`);
    if (origin !== undefined) return isOwnPage ? undefined : `origin ${JSON.stringify(origin)} is not allowed`;
    return site === undefined || site === "same-origin" || site === "none"
      ? undefined
      : "requests from pages of other sites are not allowed";
  };
}

function isOurs(authority: string, ours: ReadonlySet<string>): boolean {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([^:]*))(?::[0-9]*)?$/.exec(authority.toLowerCase()) ?? [];
  const host = bracketed ?? plain;
  return host !== undefined && (isLoopback(host) || ours.has(host));
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || host === "::1" || /^127\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}$/.test(host);
