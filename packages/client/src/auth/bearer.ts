/** The `Bearer` scheme: how a token stands in the `authorization` header. */
import { Secret } from "@drover/machinery";
import { CredentialError } from "./credential-error.ts";

/** Printable ASCII without spaces: what a header can carry and no server reads as something else. */
const tokenText = /^[\x21-\x7e]+$/;

/** The header's value for a token. Throws a `CredentialError` that names the `subject` when the token cannot stand in a header. */
export function bearerHeader(token: Secret, subject: string): Secret {
  const text = token.reveal();
  if (text === "") throw new CredentialError("malformed", `${subject} is empty`);
  if (!tokenText.test(text)) {
    throw new CredentialError(
      "malformed",
      `${subject} holds a space, a line break or another character that cannot stand in a header; remove it`,
    );
  }
  return new Secret(`Bearer ${text}`);
}
