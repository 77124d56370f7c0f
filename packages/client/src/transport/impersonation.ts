/**
 * Impersonation: the `impersonate-…` headers.
 */
import { setOwn } from "@drover/machinery";
import type { HttpHeaders } from "@drover/machinery";
import type { Impersonation } from "../kubeconfig/cluster-access.ts";
import type { TransportWrapper } from "./wrapper.ts";
import { CredentialError } from "../auth/credential-error.ts";

/** Characters of a header name (RFC 9110, token), without the percent sign, which starts an escape. */
const legal = /^[!#$&'*+\-.^_`|~0-9A-Za-z]$/;

/**
 * Adds the impersonation headers, unless a request has its own.
 *
 * Throws a `CredentialError` if there is no user to impersonate, or a header cannot contain a value.
 */
export function impersonate(impersonation: Impersonation): TransportWrapper {
  const added = impersonationHeaders(impersonation);
  return (next) => (request) =>
    next(hasText(request.headers, "impersonate-user") ? request : { ...request, headers: { ...request.headers, ...added } });
}

/**
 * Returns the impersonation headers. Keys of `extra` are percent-encoded and, like all header names, in lower case; the
 * server accepts no other.
 */
export function impersonationHeaders({ user, uid, groups = [], extra = {} }: Impersonation): HttpHeaders {
  if (user === "") throw new CredentialError("setup", "impersonation has no user; groups, a uid or extra values require one");
  const headers: Record<string, string | readonly string[]> = { "impersonate-user": user };
  if (uid !== undefined && uid !== "") headers["impersonate-uid"] = uid;
  if (groups.length > 0) headers["impersonate-group"] = [...groups];
  for (const [key, values] of Object.entries(extra)) {
    const name = `impersonate-extra-${escapeKey(key)}`;
    // Keys that differ only in case are the same to the server, so merge their values.
    const before = Object.hasOwn(headers, name) ? (headers[name] ?? []) : [];
    if (values.length > 0) setOwn(headers, name, [...(typeof before === "string" ? [before] : before), ...values]);
  }
  for (const [name, value] of Object.entries(headers)) {
    if ([value].flat().some((text) => /(?!\t)\p{Cc}/u.test(text)))
      throw new CredentialError("setup", `the value for ${name} contains a control character, which a header cannot contain`);
  }
  return headers;
}

function escapeKey(key: string): string {
  if (key === "") throw new CredentialError("setup", "impersonation has an extra value without a key");
  let escaped = "";
  for (const byte of new TextEncoder().encode(key)) {
    const character = String.fromCharCode(byte);
    escaped += legal.test(character) ? character : `%${byte.toString(16).padStart(2, "0")}`;
  }
  return escaped.toLowerCase();
}

const hasText = (headers: HttpHeaders, name: string): boolean =>
  Object.hasOwn(headers, name) && headers[name] !== "" && headers[name]?.length !== 0;
