/**
 * A fixed bearer token.
 */
import type { Secret } from "@drover/machinery";
import { bearerHeader } from "./bearer.ts";
import { fixedCredential } from "./credential-source.ts";
import type { CredentialSource } from "./credential-source.ts";

/** Sends one token forever; there is no other after a rejection. Throws a `CredentialError` if a header cannot contain the token. */
export function staticTokenSource(token: Secret): CredentialSource {
  return fixedCredential(bearerHeader(token, "the token"));
}
