/** Keys of service account tokens on Node: new ones, and stored ones. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import type { KeyObject } from "node:crypto";
import type { TokenSigner } from "../access/token-signer.ts";

/** Creates a key; PEM. */
export function newTokenKey(): string {
  return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/** Returns the signer of a key of the curve P-256, in PEM. */
export const loadTokenSigner = (privateKeyPem: string): TokenSigner => signerOf(createPrivateKey(privateKeyPem));

/** Creates a key. */
export const newTokenSigner = (): TokenSigner => signerOf(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey);

function signerOf(privateKey: KeyObject): TokenSigner {
  const publicKey = createPublicKey(privateKey);
  const keyId = createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("base64url");
  // JSON Web Tokens use the concatenated form of a signature, not DER.
  const dsaEncoding = "ieee-p1363";
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  return {
    keyId,
    publicKey: { x, y },
    sign: (text) => sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding }),
    verify: (text, signature) => verify("sha256", Buffer.from(text), { key: publicKey, dsaEncoding }, signature),
  };
}
