/**
 * Finds the user of a request. Each authenticator handles one kind of credential; they are tried in order.
 *
 *     headers, Peer → authenticatorOf([clientCertificates, bearerTokens(…), …]) → Authentication
 */
import type { HttpHeaders } from "@drover/machinery";
import type { Peer } from "./peer.ts";
import { anonymousUser, authenticatedGroup, unauthenticatedGroup, withGroup } from "./system-names.ts";
import type { User } from "./user.ts";

/** The parts of a request that identify its sender. */
export interface Credentials {
  readonly headers: HttpHeaders;
  readonly peer: Peer;
  /** Audiences one of which a token must be for. @default those of the server */
  readonly audiences?: readonly string[];
}

/**
 * "none": the request has no credential of this kind. "refused": it has one that is invalid; the reason is for logs and
 * TokenReviews.
 */
export type Authentication =
  | {
      readonly kind: "user";
      readonly user: User;
      /** Those of the asked audiences that the token is for. @default those of the server */
      readonly audiences?: readonly string[];
    }
  | { readonly kind: "none" }
  | { readonly kind: "refused"; readonly reason: string };

export type Authenticator = (credentials: Credentials) => Promise<Authentication>;

/** No credential of this kind. */
export const noCredential: Authentication = { kind: "none" };

/** Credentials that consist of a token, as in a TokenReview. */
export const tokenCredentials = (token: string, audiences: readonly string[] = []): Credentials => ({
  headers: { authorization: `Bearer ${token}` },
  peer: { inProcess: false, encrypted: true, remoteAddress: "" },
  ...(audiences.length === 0 ? {} : { audiences }),
});

/** The reason if nobody knows a token. */
export const invalidBearerToken = "invalid bearer token";

export interface AuthenticatorOptions {
  /** Whether requests without credentials run as `system:anonymous`, instead of being refused. */
  readonly anonymous: boolean;
}

/**
 * Tries the authenticators in order until one knows the user.
 *
 * Guarantees: a user has the group `system:authenticated`; an invalid credential never falls back to anonymous, only to another,
 * valid credential. Returns "none" only if `anonymous` is off.
 */
export function authenticatorOf(authenticators: readonly Authenticator[], { anonymous }: AuthenticatorOptions): Authenticator {
  return async (credentials) => {
    const reasons: string[] = [];
    for (const authenticate of authenticators) {
      const found = await authenticate(credentials);
      if (found.kind === "user") return { ...found, user: withAuthenticatedGroup(found.user) };
      if (found.kind === "refused") reasons.push(found.reason);
    }
    if (reasons.length > 0) return { kind: "refused", reason: reasons.length === 1 ? (reasons[0] ?? "") : `[${reasons.join(", ")}]` };
    return anonymous ? { kind: "user", user: anonymousUser } : noCredential;
  };
}

function withAuthenticatedGroup(user: User): User {
  return user.name === anonymousUser.name || user.groups.includes(unauthenticatedGroup) ? user : withGroup(user, authenticatedGroup);
}
