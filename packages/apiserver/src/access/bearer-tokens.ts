/** Authenticates static bearer tokens: `Authorization: Bearer …`. */
import type { HttpHeaders } from "@drover/machinery";
import { firstHeader } from "../plain-request.ts";
import { invalidBearerToken, noCredential } from "./authenticator.ts";
import type { Authenticator } from "./authenticator.ts";
import type { User } from "./user.ts";

/** A token and its user. */
export interface StaticToken {
  readonly token: string;
  readonly user: User;
}

/** Guarantees: the time a wrong token takes reveals nothing about valid ones. */
export function bearerTokens(tokens: readonly StaticToken[]): Authenticator {
  const known = tokens.map(({ token, user }) => {
    if (token === "") throw new RangeError(`the token of user ${JSON.stringify(user.name)} is empty: it would not identify the user`);
    return { bytes: new TextEncoder().encode(token), user };
  });
  return ({ headers }) => {
    const given = bearerToken(headers);
    if (given === undefined) return Promise.resolve(noCredential);
    const bytes = new TextEncoder().encode(given);
    let found: User | undefined;
    for (const entry of known) if (sameBytes(entry.bytes, bytes)) found = entry.user;
    return Promise.resolve(found === undefined ? { kind: "refused", reason: invalidBearerToken } : { kind: "user", user: found });
  };
}

/** Returns the request's token; undefined without one, and for a token after two spaces, which kube-apiserver ignores. */
export function bearerToken(headers: HttpHeaders): string | undefined {
  const [scheme, token] = authorizationParts(headers);
  return scheme?.toLowerCase() === "bearer" && token !== "" ? token : undefined;
}

/** Returns kube-apiserver's warning about a token that is ignored because of two spaces before it; otherwise undefined. */
export function bearerTokenWarning(headers: HttpHeaders): string | undefined {
  const [scheme, token] = authorizationParts(headers);
  return scheme?.toLowerCase() === "bearer" && token === ""
    ? "the provided Authorization header contains extra space before the bearer token, and is ignored"
    : undefined;
}

function authorizationParts(headers: HttpHeaders): string[] {
  return firstHeader(headers, "authorization").trim().split(" ");
}

/** Compares all bytes of `given`, wherever the first difference is: the time it takes tells nothing about `known`. */
export function sameBytes(known: Uint8Array, given: Uint8Array): boolean {
  let difference = known.length ^ given.length;
  for (const [index, byte] of given.entries()) difference |= byte ^ (known[index % known.length] ?? 0);
  return difference === 0;
}
