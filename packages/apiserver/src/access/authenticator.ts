/**
 * Who a request is from. Each authenticator looks at one kind of credential; several stand behind each other.
 *
 *     headers, Peer → authenticatorOf([clientCertificates, bearerTokens(…), …]) → User | nobody | refused
 */
import type { HttpHeaders } from "@drover/machinery";
import type { Peer } from "./peer.ts";
import { anonymousUser, authenticatedGroup, unauthenticatedGroup, withGroup } from "./system-names.ts";
import type { User } from "./user.ts";

/** What a request says about who sent it. */
export interface Credentials {
  readonly headers: HttpHeaders;
  readonly peer: Peer;
}

/** "none": the request has no credential of this kind. "refused": it has one, and that is wrong; the reason is for logs and reviews. */
export type Authentication =
  | { readonly kind: "user"; readonly user: User }
  | { readonly kind: "none" }
  | { readonly kind: "refused"; readonly reason: string };

export type Authenticator = (credentials: Credentials) => Promise<Authentication>;

/** No credential of this kind. */
export const noCredential: Authentication = { kind: "none" };

/** The credentials of somebody who has nothing but a token: what a TokenReview asks about. */
export const tokenCredentials = (token: string): Credentials => ({
  headers: { authorization: `Bearer ${token}` },
  peer: { inProcess: false, encrypted: true, remoteAddress: "" },
});

export interface AuthenticatorOptions {
  /** Whether a request without any credential is from `system:anonymous`, instead of being refused. */
  readonly anonymous: boolean;
}

/**
 * Asks one after the other until one knows the user.
 *
 * Guarantees: a user comes with `system:authenticated`; a wrong credential is never forgiven by being anonymous, only by another that is
 * right. "none" is answered only where `anonymous` is off.
 */
export function authenticatorOf(authenticators: readonly Authenticator[], { anonymous }: AuthenticatorOptions): Authenticator {
  return async (credentials) => {
    const reasons: string[] = [];
    for (const authenticate of authenticators) {
      const found = await authenticate(credentials);
      if (found.kind === "user") return { kind: "user", user: withAuthenticatedGroup(found.user) };
      if (found.kind === "refused") reasons.push(found.reason);
    }
    if (reasons.length > 0) return { kind: "refused", reason: reasons.length === 1 ? (reasons[0] ?? "") : `[${reasons.join(", ")}]` };
    return anonymous ? { kind: "user", user: anonymousUser } : noCredential;
  };
}

function withAuthenticatedGroup(user: User): User {
  return user.name === anonymousUser.name || user.groups.includes(unauthenticatedGroup) ? user : withGroup(user, authenticatedGroup);
}
