/** The cryptography that certificates need. On Node: `nodeCrypto` in node-crypto.ts. */

/** A P-256 key and its signing function. */
export interface SigningKey {
  /** PKCS #8, as in files and kubeconfigs. */
  readonly privateKeyPem: string;
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKeyDer: Uint8Array;
  /** ECDSA with SHA-256, the signature in DER. */
  readonly sign: (bytes: Uint8Array) => Uint8Array;
}

/** What a certificate says, and what can be checked about it. */
export interface CertificateFacts {
  /** Common name of the subject; undefined if the subject has other parts or none. */
  readonly commonName: string | undefined;
  /** Milliseconds since 1970. */
  readonly notBefore: number;
  readonly notAfter: number;
  /** Whether it may sign others. */
  readonly isAuthority: boolean;
  readonly dnsNames: readonly string[];
  /** IP addresses in their shortest form. */
  readonly ips: readonly string[];
  /** SHA-256 of the DER, hexadecimal. */
  readonly fingerprint: string;
  /** Whether the key is the one in the certificate. */
  readonly hasKey: (key: SigningKey) => boolean;
  /** Whether the authority with this PEM certificate issued it; false for what is no certificate. */
  readonly isIssuedBy: (authorityPem: string) => boolean;
}

export interface CryptoHost {
  readonly generateKeyPair: () => SigningKey;
  /** Loads a P-256 key from PEM, unencrypted. Throws for anything else. */
  readonly loadKey: (privateKeyPem: string) => SigningKey;
  /** Whether a private key of any type belongs to the first certificate of a PEM text; false if one of them cannot be read. */
  readonly isPair: (certificatePem: string, privateKeyPem: string) => boolean;
  /** Reads the first certificate of a PEM text. Throws if there is none. */
  readonly readCertificate: (pem: string) => CertificateFacts;
  /** For key ids only; its strength does not matter. */
  readonly sha1: (bytes: Uint8Array) => Uint8Array;
  /** Cryptographically secure random bytes. */
  readonly randomBytes: (count: number) => Uint8Array;
}
