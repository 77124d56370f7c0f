/**
 * The TLS settings of a connection. Files behind them may change at any time, so they are requested before each request and
 * must be cheap.
 */
import { abortable } from "@drover/machinery";
import type { Secret } from "@drover/machinery";
import { isTransportError } from "./transport-error.ts";

export interface TlsSettings {
  /** Grows whenever any other field changes; connections made with an older generation take no new requests. */
  readonly generation: number;
  /** PEM. Absent: the system's authorities. */
  readonly ca?: string;
  readonly certificate?: string;
  readonly key?: Secret;
  readonly serverName?: string;
  readonly insecure: boolean;
}

/**
 * Returns the current settings. `refused` are settings with which the TLS handshake failed: the source rereads its files at
 * once, unless it already has newer ones. The result has the same generation if nothing changed.
 */
export interface TlsSource {
  (options?: { readonly refused?: TlsSettings }): Promise<TlsSettings>;
  /** Returns the current settings if they are known without waiting. @default the source is called for every request */
  readonly fresh?: () => TlsSettings | undefined;
}

/**
 * Runs an attempt that opens a connection. If the TLS handshake fails for lack of trust, requests the settings again and, if
 * they have changed, retries once: the server's certificates may be replaced before our files are next reread.
 *
 * `attempt` must have sent nothing when it rejects with reason "tls". Rejects with the signal's reason, or as the last
 * attempt did.
 */
export async function withTlsSettings<T>(
  source: TlsSource,
  signal: AbortSignal | undefined,
  attempt: (settings: TlsSettings) => Promise<T>,
): Promise<T> {
  const unlessAborted = (promise: Promise<TlsSettings>): Promise<TlsSettings> =>
    signal === undefined ? promise : abortable(promise, signal);
  const settings = source.fresh?.() ?? (await unlessAborted(source()));
  try {
    return await attempt(settings);
  } catch (error) {
    if (!isTransportError(error) || error.reason !== "tls") throw error;
    const fresh = await unlessAborted(source({ refused: settings }));
    if (fresh.generation === settings.generation) throw error;
    return await attempt(fresh);
  }
}
