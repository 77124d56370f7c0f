/**
 * User name and password: the `Basic` scheme of RFC 7617. The API server does not accept it; proxies in front of it do.
 */
import { Secret } from "@drover/machinery";
import { encodeBase64 } from "../encoding/base64.ts";
import { CredentialError } from "./credential-error.ts";
import { fixedCredential } from "./credential-source.ts";
import type { CredentialSource } from "./credential-source.ts";

/**
 * Sends a user name and a password in UTF-8. Throws a `CredentialError` if the name contains a colon, which separates it
 * from the password.
 */
export function basicSource({ username, password }: { readonly username: string; readonly password: Secret }): CredentialSource {
  if (username.includes(":")) throw new CredentialError("setup", "a user name for basic authentication cannot contain a colon");
  return fixedCredential(new Secret(`Basic ${encodeBase64(`${username}:${password.reveal()}`)}`));
}
