/** What a connection is made with. Files behind it may change at any time, so it is asked for before each request and must be cheap. */
import { abortable } from "@drover/machinery";
import type { Secret } from "@drover/machinery";
import { isTransportError } from "./transport-error.ts";

export interface TlsSettings {
  /** Grows whenever anything below changes; connections made with an older one are not used for new requests. */
  readonly generation: number;
  /** PEM. Absent: the system's authorities. */
  readonly ca?: string;
  readonly certificate?: string;
  readonly key?: Secret;
  readonly serverName?: string;
  readonly insecure: boolean;
}

/**
 * Gives the settings of now. With `refused`, settings under which one side did not believe the other: whatever stands behind them is
 * looked at again at once, unless newer ones are known already. The answer has the same generation when there is nothing better.
 */
export type TlsSource = (options?: { readonly refused?: TlsSettings }) => Promise<TlsSettings>;

/**
 * Does something that makes a connection. When that fails because one side does not believe the other, the settings are asked for again,
 * and if they have changed it is done once more: certificates on the server may be replaced before our files are next looked at.
 *
 * `attempt` must have sent nothing when it rejects with reason "tls". Rejects with the signal's reason, or as the last attempt did.
 */
export async function withTlsSettings<T>(
  source: TlsSource,
  signal: AbortSignal | undefined,
  attempt: (settings: TlsSettings) => Promise<T>,
): Promise<T> {
  const unlessAborted = (promise: Promise<TlsSettings>): Promise<TlsSettings> =>
    signal === undefined ? promise : abortable(promise, signal);
  const settings = await unlessAborted(source());
  try {
    return await attempt(settings);
  } catch (error) {
    if (!isTransportError(error) || error.reason !== "tls") throw error;
    const fresh = await unlessAborted(source({ refused: settings }));
    if (fresh.generation === settings.generation) throw error;
    return await attempt(fresh);
  }
}
