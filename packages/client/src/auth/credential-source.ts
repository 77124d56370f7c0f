/**
 * The current value of the `authorization` header, from a token, a file that is reread, a program, or a refresh grant.
 *
 *     Credentials → CredentialSource → the authenticate wrapper
 */
import type { Secret } from "@drover/machinery";

/** A source of credentials. All requests of a transport share it; it never runs two renewals at once. */
export interface CredentialSource {
  /** Returns the header value, or undefined if there is none to send. Rejects if a configured credential is not available. */
  header(options: { readonly signal?: AbortSignal }): Promise<Secret | undefined>;
  /**
   * Returns what `header` would resolve with, if it is known without waiting: most requests then need no promise for it. Undefined if
   * `header` must be called. @default `header` is called for every request
   */
  fresh?(): { readonly header: Secret | undefined } | undefined;
  /**
   * Reports that the server rejected this value with 401. Resolves to true if a different value is available, so that one
   * retry makes sense. Rejects only with the signal's reason.
   */
  refused(header: Secret | undefined, options?: { readonly signal?: AbortSignal }): Promise<boolean>;
  /** Client certificate that came with the credential (exec plugins): PEM, with a generation that grows when it changes. */
  certificate?(): { readonly generation: number; readonly certificate: string; readonly key: Secret } | undefined;
}

/** Sends no header: the client certificate identifies the client, or the request is anonymous. */
export const noCredential: Readonly<CredentialSource> = fixedCredential(undefined);

/** Sends the same header forever; there is no other after a rejection. */
export function fixedCredential(header: Secret | undefined): CredentialSource {
  const fixed = { header };
  return { header: () => Promise.resolve(header), fresh: () => fixed, refused: () => Promise.resolve(false) };
}
