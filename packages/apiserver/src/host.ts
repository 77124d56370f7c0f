/** What the server needs from its platform: hashes, keys, compression, data files and calls of webhooks. */
import type { TokenSigner } from "./access/token-signer.ts";
import type { CallWebhook } from "./webhook/webhook-call.ts";

export interface ApiServerHost {
  readonly sha256: (text: string) => Uint8Array;
  /** In lower-case hexadecimal. */
  readonly sha512Hex: (text: string | Uint8Array) => string;
  readonly gzip: (bytes: Uint8Array) => Uint8Array;
  /** Decompresses Brotli. */
  readonly inflate: (bytes: Uint8Array) => Uint8Array;
  /** Reads a file of this package's folder `data`. */
  readonly readData: (name: string) => Uint8Array;
  /** The name of the machine, for the identity lease of the server. */
  readonly hostName: string;
  /** The heap limit of the process; the default store uses at most five eighths of it. @default unknown */
  readonly heapBytesMax?: number;
  /** Generates a key for service account tokens. */
  readonly tokenSigner: () => TokenSigner;
  /** Returns a function that calls webhooks over connections of its own. */
  readonly webhookCaller: () => CallWebhook;
}
