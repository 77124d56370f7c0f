/** Algorithms of JSON Web Tokens that kube-apiserver signs with: by the curve of the key, or for any RSA key. */
export type TokenAlgorithm = "ES256" | "ES384" | "ES512" | "RS256";

/** A key that signs tokens, and the keys whose tokens are accepted. */
export interface TokenSigner {
  /** Key id by which verifiers find the key. */
  readonly keyId: string;
  readonly algorithm: TokenAlgorithm;
  /** The public keys whose tokens are accepted. */
  readonly publicKeys: readonly PublicKey[];
  readonly sign: (text: string) => Uint8Array;
  /** Reports whether one of the keys has signed the text. */
  readonly verify: (text: string, signature: Uint8Array) => boolean;
}

/** A public key with its id. */
export interface PublicKey {
  readonly keyId: string;
  readonly algorithm: TokenAlgorithm;
  /** The members of its JSON Web Key that make the key: `kty`, `crv`, `x`, `y`, or `kty`, `n`, `e`. */
  readonly webKey: Readonly<Record<string, string>>;
}
