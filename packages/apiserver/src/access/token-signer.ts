/** A key that signs tokens with ES256. It is generated when first needed, so tokens do not outlive their server. */
export interface TokenSigner {
  /** Key id by which verifiers find the key. */
  readonly keyId: string;
  readonly sign: (text: string) => Uint8Array;
  readonly verify: (text: string, signature: Uint8Array) => boolean;
}
