/**
 * What one request shows of who we are: a header, and the client certificate of its connection. When the server refuses it with 401, as API
 * servers refuse an expired certificate too, this is asked whether there is something else to show.
 *
 *     CredentialSource, TlsSource → login → Login → the authenticate wrapper, WebSockets
 */
import { abortable } from "@drover/machinery";
import type { Secret } from "@drover/machinery";
import type { CredentialSource } from "../auth/credential-source.ts";
import type { TlsSource } from "./tls-settings.ts";

export interface Login {
  /** The `authorization` header, or undefined when there is none to send. */
  readonly header: Secret | undefined;
  /** The server refused it. Whether there is another credential, or another certificate, since: then trying once more makes sense. */
  readonly refused: () => Promise<boolean>;
}

export interface LoginOptions {
  /** Gives the client certificate, which is then looked at again after a refusal. @default a refusal is about the header alone */
  readonly tls?: TlsSource;
  /** Calls it off, also what `refused` does later. @default never */
  readonly signal?: AbortSignal;
}

/** Gets what is to be shown now. Rejects with the source's error, or the signal's reason. */
export async function login(source: CredentialSource, { tls, signal }: LoginOptions): Promise<Login> {
  const wait = signal === undefined ? {} : { signal };
  const unlessAborted = <T>(promise: Promise<T>): Promise<T> => (signal === undefined ? promise : abortable(promise, signal));
  const header = await source.header(wait);
  if (tls === undefined) return { header, refused: () => source.refused(header, wait) };
  const shown = await unlessAborted(tls());
  const isReplaced = async (): Promise<boolean> =>
    shown.certificate !== undefined && (await unlessAborted(tls({ refused: shown }))).generation !== shown.generation;
  return { header, refused: async () => (await source.refused(header, wait)) || (await isReplaced()) };
}
