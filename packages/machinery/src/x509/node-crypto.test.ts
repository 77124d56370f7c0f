import { createPublicKey, verify } from "node:crypto";
import { describe, expect, it } from "vitest";
import { nodeCrypto } from "./node-crypto.ts";

describe("nodeCrypto", () => {
  it("generates keys whose signatures verify", () => {
    const { publicKeyDer, sign, privateKeyPem } = nodeCrypto.generateKeyPair();
    const bytes = Uint8Array.of(1, 2, 3);
    const key = createPublicKey({ key: Buffer.from(publicKeyDer), format: "der", type: "spki" });
    expect(verify("sha256", bytes, key, sign(bytes))).toBe(true);
    expect(verify("sha256", Uint8Array.of(1), key, sign(bytes))).toBe(false);
    expect(privateKeyPem).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
  });

  it("hashes and returns random bytes", () => {
    expect(Buffer.from(nodeCrypto.sha1(new Uint8Array())).toString("hex")).toBe("da39a3ee5e6b4b0d3255bfef95601890afd80709");
    expect(nodeCrypto.randomBytes(16)).toHaveLength(16);
  });
});
