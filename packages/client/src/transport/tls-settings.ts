/** What a connection is made with. Files behind it may change at any time, so it is asked for before each request and must be cheap. */
import type { Secret } from "@drover/machinery";

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

export type TlsSource = () => Promise<TlsSettings>;
