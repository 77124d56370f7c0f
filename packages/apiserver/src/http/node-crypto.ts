/** `CryptoHost` on Node. */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { CryptoHost } from "../access/x509/crypto-host.ts";

/** Keys, hashes and random bytes from `node:crypto`. */
export const nodeCrypto: CryptoHost = {
  generateKeyPair: () => {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    return {
      privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
      publicKeyDer: publicKey.export({ type: "spki", format: "der" }),
      sign: (bytes) => sign("sha256", bytes, privateKey),
    };
  },
  sha1: (bytes) => createHash("sha1").update(bytes).digest(),
  randomBytes: (count) => randomBytes(count),
};
