/**
 * Keeps web pages away from a server that listens on the user's own machine. A page of any site can make the browser send requests to
 * loopback, and by renaming itself to 127.0.0.1 (DNS rebinding) even read the answers; what it cannot do is lie in `Host` and `Origin`.
 */
import type { HttpHeaders } from "@drover/machinery";

export interface HostGuardOptions {
  /** Names and addresses the server may be called by, besides those of loopback. Without a port. @default none */
  readonly names?: readonly string[];
  /** Origins of web pages that may use the server, besides its own: "https://dashboard.example.com". @default none */
  readonly origins?: readonly string[];
}

/** What is to be answered instead; undefined when the request may pass. */
export type HostGuard = (request: {
  readonly authority: string | undefined;
  readonly encrypted: boolean;
  readonly headers: HttpHeaders;
}) => string | undefined;

/** Guarantees: says no to a host that is none of ours, and to a page of another origin. A request without an Origin comes from no page. */
export function hostGuard({ names = [], origins = [] }: HostGuardOptions): HostGuard {
  const ours: ReadonlySet<string> = new Set(names.map((name) => name.toLowerCase().replaceAll(/^\[|\]$/g, "")));
  return ({ authority, encrypted, headers }) => {
    if (authority !== undefined && !isOurs(authority, ours))
      return `this server is not called ${JSON.stringify(authority)}; use localhost, 127.0.0.1 or a name it was started with`;
    const { origin, "sec-fetch-site": site } = headers;
    const isOwnPage =
      typeof origin === "string" &&
      (origins.includes(origin) || origin.toLowerCase() === `${encrypted ? "https" : "http"}://${(authority ?? "").toLowerCase()}`);
    if (origin !== undefined) return isOwnPage ? undefined : `a page of the origin ${JSON.stringify(origin)} may not use this server`;
    return site === undefined || site === "same-origin" || site === "none" ? undefined : "a page of another site may not use this server";
  };
}

function isOurs(authority: string, ours: ReadonlySet<string>): boolean {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([^:]*))(?::[0-9]*)?$/.exec(authority.toLowerCase()) ?? [];
  const host = bracketed ?? plain;
  return host !== undefined && (isLoopback(host) || ours.has(host));
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || host === "::1" || /^127\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}$/.test(host);
