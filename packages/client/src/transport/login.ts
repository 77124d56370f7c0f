/**
 * The credentials of one request: a header, and the client certificate of its connection. After a 401, which API servers
 * also send for an expired certificate, tells whether there is another credential.
 *
 *     CredentialSource, TlsSource → login → Login → the authenticate wrapper, WebSockets
 */
import { definedOnly, abortable } from "@drover/machinery";
import type { Secret } from "@drover/machinery";
import type { CredentialSource } from "../auth/credential-source.ts";
import type { TlsSource } from "./tls-settings.ts";

export interface Login {
  /** The `authorization` header, or undefined if there is none to send. */
  readonly header: Secret | undefined;
  /**
   * Reports that the server rejected it. Resolves to whether another credential or certificate is available, so that one
   * retry makes sense.
   */
  readonly refused: () => Promise<boolean>;
}

export interface LoginOptions {
  /** Source of the client certificate, which is reread after a rejection. @default a rejection concerns only the header */
  readonly tls?: TlsSource;
  /** Cancels it, also later calls of `refused`. @default none */
  readonly signal?: AbortSignal;
}

/** Returns the current credentials if they are known without waiting. */
export function freshLogin(source: CredentialSource, { tls, signal }: LoginOptions): Login | undefined {
  // After a rejection, `login` finds out whether there is another certificate.
  const fresh = tls === undefined ? source.fresh?.() : undefined;
  return fresh && { header: fresh.header, refused: () => source.refused(fresh.header, definedOnly({ signal })) };
}

/** Gets the current credentials. Rejects with the source's error, or the signal's reason. */
export async function login(source: CredentialSource, { tls, signal }: LoginOptions): Promise<Login> {
  const wait = definedOnly({ signal });
  const unlessAborted = <T>(promise: Promise<T>): Promise<T> => (signal === undefined ? promise : abortable(promise, signal));
  const header = await source.header(wait);
  if (tls === undefined) return { header, refused: () => source.refused(header, wait) };
  const shown = await unlessAborted(tls());
  const isReplaced = async (): Promise<boolean> =>
    shown.certificate !== undefined && (await unlessAborted(tls({ refused: shown }))).generation !== shown.generation;
  return { header, refused: async () => (await source.refused(header, wait)) || (await isReplaced()) };
}
