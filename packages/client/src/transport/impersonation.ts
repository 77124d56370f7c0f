/** Acting as somebody else: the `impersonate-…` headers. */
import { setOwn } from "@drover/machinery";
import type { HttpHeaders } from "@drover/machinery";
import type { Impersonation } from "../kubeconfig/cluster-access.ts";
import type { TransportWrapper } from "./wrapper.ts";
import { CredentialError } from "../auth/credential-error.ts";

/** What a header name may hold (RFC 9110, token), without the percent sign, which announces an escape. */
const legal = /^[!#$&'*+\-.^_`|~0-9A-Za-z]$/;

/**
 * Adds who we want to act as, unless a request says so itself.
 *
 * Throws a `CredentialError` when there is no user to act as, or a value cannot stand in a header.
 */
export function impersonate(impersonation: Impersonation): TransportWrapper {
  const added = impersonationHeaders(impersonation);
  return (next) => (request) =>
    next(hasText(request.headers, "impersonate-user") ? request : { ...request, headers: { ...request.headers, ...added } });
}

/**
 * The headers that ask the server to treat us as somebody else. Keys of `extra` are percent-encoded and, like all header names, in lower
 * case; the server knows them in no other.
 */
export function impersonationHeaders({ user, uid, groups = [], extra = {} }: Impersonation): HttpHeaders {
  if (user === "") throw new CredentialError("setup", "impersonation names no user; groups, a uid or extra values cannot stand alone");
  const headers: Record<string, string | readonly string[]> = { "impersonate-user": user };
  if (uid !== undefined && uid !== "") headers["impersonate-uid"] = uid;
  if (groups.length > 0) headers["impersonate-group"] = [...groups];
  for (const [key, values] of Object.entries(extra)) {
    const name = `impersonate-extra-${escapeKey(key)}`;
    // Two keys that differ in case only are one to the server, so neither may push the other out.
    const before = Object.hasOwn(headers, name) ? (headers[name] ?? []) : [];
    if (values.length > 0) setOwn(headers, name, [...(typeof before === "string" ? [before] : before), ...values]);
  }
  for (const [name, value] of Object.entries(headers)) {
    if ([value].flat().some((text) => /(?!\t)\p{Cc}/u.test(text)))
      throw new CredentialError("setup", `the value for ${name} holds a control character and cannot stand in a header`);
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
