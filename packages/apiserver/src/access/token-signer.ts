/** A key that signs tokens, by ES256. It is made when a server first needs it, so tokens live no longer than their server. */
export interface TokenSigner {
  /** By which verifiers find the key. */
  readonly keyId: string;
  readonly sign: (text: string) => Uint8Array;
  readonly verify: (text: string, signature: Uint8Array) => boolean;
}
