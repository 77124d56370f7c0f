/**
 * The `Bearer` scheme: a token in the `authorization` header.
 */
import { Secret } from "@drover/machinery";
import { CredentialError } from "./credential-error.ts";

/** Printable ASCII without spaces: valid in a header and read the same way by every server. */
const tokenText = /^[\x21-\x7e]+$/;

/** Returns the header value for a token. Throws a `CredentialError` that names the `subject` if a header cannot contain the token. */
export function bearerHeader(token: Secret, subject: string): Secret {
  const text = token.reveal();
  if (text === "") throw new CredentialError("malformed", `${subject} is empty`);
  if (!tokenText.test(text)) {
    throw new CredentialError(
      "malformed",
      `${subject} contains a space, a line break or another character that a header cannot contain; remove it`,
    );
  }
  return new Secret(`Bearer ${text}`);
}
