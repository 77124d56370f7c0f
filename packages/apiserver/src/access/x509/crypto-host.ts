/** The cryptography that certificates need from the place they are made in. With Node it is `nodeCrypto` of http/node-crypto.ts. */

/** A key of its own, on the curve P-256, and what signs with it. */
export interface SigningKey {
  /** PKCS #8, as files and kubeconfigs hold it. */
  readonly privateKeyPem: string;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKeyDer: Uint8Array;
  /** ECDSA with SHA-256, the signature in DER. */
  readonly sign: (bytes: Uint8Array) => Uint8Array;
}

export interface CryptoHost {
  readonly generateKeyPair: () => SigningKey;
  /** Names keys; nothing rests on its strength. */
  readonly sha1: (bytes: Uint8Array) => Uint8Array;
  /** Bytes that nobody can guess. */
  readonly randomBytes: (count: number) => Uint8Array;
}
