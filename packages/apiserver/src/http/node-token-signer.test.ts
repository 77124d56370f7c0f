import { generateKeyPairSync } from "node:crypto";
import { nodeCrypto } from "@drover/machinery/node";
import { ManualClock } from "@drover/machinery/testing";
import { certificateAuthority } from "@drover/machinery/x509";
import { describe, expect, it } from "vitest";
import { loadTokenSigner, newTokenKey } from "./node-token-signer.ts";

const authority = certificateAuthority({ commonName: "signer", crypto: nodeCrypto, clock: new ManualClock() });

describe("loadTokenSigner", () => {
  it("accepts the tokens of its own key alone, and publishes it", () => {
    const [first, second] = [loadTokenSigner(newTokenKey()), loadTokenSigner(newTokenKey())];
    const signature = first.sign("text");
    expect([first.verify("text", signature), first.verify("other", signature), second.verify("text", signature)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(first.publicKeys).toEqual([
      { keyId: first.keyId, algorithm: "ES256", webKey: expect.objectContaining({ kty: "EC", crv: "P-256" }) as object },
    ]);
  });

  it("accepts the tokens of given keys only: certificates, public and private keys, also beside parameters of a curve", () => {
    const old = newTokenKey();
    const signer = loadTokenSigner(
      authority.privateKeyPem,
      `${authority.certificatePem}-----BEGIN EC PARAMETERS-----\nBggq\n-----END EC PARAMETERS-----\n${old}`,
    );
    expect(signer.publicKeys.map(({ keyId }) => keyId)).toEqual([signer.keyId, loadTokenSigner(old).keyId]);
    expect(signer.verify("text", signer.sign("text")) && signer.verify("text", loadTokenSigner(old).sign("text"))).toBe(true);
    const without = loadTokenSigner(authority.privateKeyPem, old);
    expect(without.verify("text", without.sign("text"))).toBe(false);
  });

  it("publishes no private part of a key", () => {
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs1", format: "pem" }).toString();
    for (const pem of [rsa, newTokenKey()])
      for (const { webKey } of loadTokenSigner(pem, pem).publicKeys)
        expect(Object.keys(webKey).filter((name) => !["kty", "crv", "x", "y", "n", "e"].includes(name))).toEqual([]);
  });

  it("says what is wrong with a key", () => {
    const [ed25519, k1] = [generateKeyPairSync("ed25519"), generateKeyPairSync("ec", { namedCurve: "secp256k1" })];
    const pem = (key: typeof k1.privateKey): string => key.export({ type: "pkcs8", format: "pem" }).toString();
    expect(() => loadTokenSigner(pem(ed25519.privateKey))).toThrow(
      "a key of type ed25519 cannot sign tokens; use RSA, or the curve P-256, P-384 or P-521",
    );
    expect(() => loadTokenSigner(pem(k1.privateKey))).toThrow("a key of type ec cannot sign tokens");
    expect(() => loadTokenSigner(newTokenKey(), "nothing")).toThrow("there is no public key, certificate or private key in PEM");
  });
});
