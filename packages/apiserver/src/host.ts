/** What the server needs of the place it runs in: hashes, keys, compression, its own data files. */
import type { TokenSigner } from "./access/token-signer.ts";

export interface ApiServerHost {
  readonly sha256: (text: string) => Uint8Array;
  /** In lower-case hexadecimal. */
  readonly sha512Hex: (text: string | Uint8Array) => string;
  readonly gzip: (bytes: Uint8Array) => Uint8Array;
  /** Undoes Brotli. */
  readonly inflate: (bytes: Uint8Array) => Uint8Array;
  /** A file of this package's folder `data`. */
  readonly readData: (name: string) => Uint8Array;
  /** A new key for tokens of service accounts. */
  readonly tokenSigner: () => TokenSigner;
}
