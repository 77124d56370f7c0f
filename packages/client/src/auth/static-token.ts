/** A bearer token that was given and stays. */
import type { Secret } from "@drover/machinery";
import { bearerHeader } from "./bearer.ts";
import type { CredentialSource } from "./credential-source.ts";

/** Sends one token for ever; after a refusal there is no other. Throws a `CredentialError` when the token cannot stand in a header. */
export function staticTokenSource(token: Secret): CredentialSource {
  const header = bearerHeader(token, "the token");
  return { header: () => Promise.resolve(header), refused: () => Promise.resolve(false) };
}
