/** A key that signs tokens with ES256. It is generated when first needed, so tokens do not outlive their server. */
export interface TokenSigner {
  /** Key id by which verifiers find the key. */
  readonly keyId: string;
  /** The public half: a point of the curve P-256, in the form of a JSON Web Key. */
  readonly publicKey: { readonly x: string; readonly y: string };
  readonly sign: (text: string) => Uint8Array;
  readonly verify: (text: string, signature: Uint8Array) => boolean;
}

/** The public half of a key, with its id. */
export interface PublicKey {
  readonly keyId: string;
  readonly x: string;
  readonly y: string;
}
