/** The cryptography that certificates need. On Node: `nodeCrypto` in http/node-crypto.ts. */

/** A new P-256 key and its signing function. */
export interface SigningKey {
  /** PKCS #8, as in files and kubeconfigs. */
  readonly privateKeyPem: string;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKeyDer: Uint8Array;
  /** ECDSA with SHA-256, the signature in DER. */
  readonly sign: (bytes: Uint8Array) => Uint8Array;
}

export interface CryptoHost {
  readonly generateKeyPair: () => SigningKey;
  /** For key ids only; its strength does not matter. */
  readonly sha1: (bytes: Uint8Array) => Uint8Array;
  /** Cryptographically secure random bytes. */
  readonly randomBytes: (count: number) => Uint8Array;
}
