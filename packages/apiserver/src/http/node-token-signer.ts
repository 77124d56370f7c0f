/** Keys of service account tokens on Node: new ones, stored ones, and those of files. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import type { KeyObject } from "node:crypto";
import type { PublicKey, TokenAlgorithm, TokenSigner } from "../access/token-signer.ts";

/** Creates a key; PEM. */
export function newTokenKey(): string {
  return newKey().export({ type: "pkcs8", format: "pem" }).toString();
}

/**
 * Returns the signer of a private key in PEM: RSA, or of the curves P-256, P-384 and P-521. `acceptedPem` has the keys whose tokens are
 * accepted: public keys, certificates and private keys in PEM, one after the other. @default the signing key alone
 *
 * Throws an Error that says what is wrong with a key.
 */
export function loadTokenSigner(privateKeyPem: string, acceptedPem?: string): TokenSigner {
  const privateKey = createPrivateKey(privateKeyPem);
  return signerOf(privateKey, acceptedPem === undefined ? [createPublicKey(privateKey)] : publicKeysOf(acceptedPem));
}

/** Creates a key. */
export function newTokenSigner(): TokenSigner {
  const privateKey = newKey();
  return signerOf(privateKey, [createPublicKey(privateKey)]);
}

const newKey = (): KeyObject => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

/** JSON Web Tokens use the concatenated form of an elliptic signature, not DER. RSA keys ignore it. */
const dsaEncoding = "ieee-p1363";

function signerOf(privateKey: KeyObject, accepted: readonly KeyObject[]): TokenSigner {
  const { keyId, algorithm } = describeKey(createPublicKey(privateKey));
  const keys = accepted.map((key) => ({ key, described: describeKey(key) }));
  return {
    keyId,
    algorithm,
    publicKeys: keys.map(({ described }) => described),
    sign: (text) => sign(hashes[algorithm], Buffer.from(text), { key: privateKey, dsaEncoding }),
    verify: (text, signature) =>
      keys.some(({ key, described }) => verify(hashes[described.algorithm], Buffer.from(text), { key, dsaEncoding }, signature)),
  };
}

const hashes: Readonly<Record<TokenAlgorithm, string>> = { ES256: "sha256", ES384: "sha384", ES512: "sha512", RS256: "sha256" };
const byCurve: ReadonlyMap<string, TokenAlgorithm> = new Map([
  ["P-256", "ES256"],
  ["P-384", "ES384"],
  ["P-521", "ES512"],
]);

function describeKey(key: KeyObject): PublicKey {
  const { kty = "", crv, x, y, n, e } = key.asymmetricKeyType === "ed25519" ? {} : key.export({ format: "jwk" });
  const algorithm = kty === "RSA" ? "RS256" : byCurve.get(crv ?? "");
  if (algorithm === undefined)
    throw new Error(`a key of type ${key.asymmetricKeyType ?? key.type} cannot sign tokens; use RSA, or the curve P-256, P-384 or P-521`);
  const members = algorithm === "RS256" ? { kty, n, e } : { kty, crv, x, y };
  const keyId = createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("base64url");
  return { keyId, algorithm, webKey: Object.fromEntries(Object.entries(members).map(([name, value]) => [name, value ?? ""])) };
}

const block = /-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g;
/** Blocks of OpenSSL that stand beside a key and have none. */
const withoutKey: readonly string[] = ["EC PARAMETERS"];

function publicKeysOf(pem: string): readonly KeyObject[] {
  const blocks = [...pem.matchAll(block)].filter(([, type = ""]) => !withoutKey.includes(type)).map(([text]) => text);
  if (blocks.length === 0) throw new Error("there is no public key, certificate or private key in PEM");
  // Of a private key, this is its public half.
  return blocks.map((text) => createPublicKey(text));
}
