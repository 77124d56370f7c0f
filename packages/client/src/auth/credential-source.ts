/**
 * What goes into the `authorization` header, now. Behind it stands a token, a file that is read again, a program, or a refresh grant.
 *
 *     Credentials → CredentialSource → the authenticate wrapper
 */
import type { Secret } from "@drover/machinery";

/** One way to have credentials. Shared by all requests of a transport; never asked twice at a time for the same thing. */
export interface CredentialSource {
  /** The header's value, or undefined when there is none to send. Rejects when a credential should be there and cannot be had. */
  header(options: { readonly signal?: AbortSignal }): Promise<Secret | undefined>;
  /**
   * The server refused this value with 401. Resolves to true when another value can be had, so that trying once more makes sense.
   * Rejects only with the signal's reason.
   */
  refused(header: Secret | undefined, options?: { readonly signal?: AbortSignal }): Promise<boolean>;
  /** A client certificate that came with the credential (exec plugins): PEM, with a generation that grows when it changes. */
  certificate?(): { readonly generation: number; readonly certificate: string; readonly key: Secret } | undefined;
}

/** Nothing to send: a client certificate speaks for itself, and without one the request is anonymous. */
export const noCredential: Readonly<CredentialSource> = { header: () => Promise.resolve(undefined), refused: () => Promise.resolve(false) };
