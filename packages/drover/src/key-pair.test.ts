import { generateKeyPairSync } from "node:crypto";
import { Secret } from "@drover/machinery";
import { expect, it } from "vitest";
import { isKeyPair } from "./key-pair.ts";

const certificate = `-----BEGIN CERTIFICATE-----
MIIBHTCBxKADAgECAgEBMAoGCCqGSM49BAMCMA8xDTALBgNVBAMTBHRlc3QwHhcN
-----END CERTIFICATE-----`;

it("isKeyPair never throws", async () => {
  const key = new Secret(
    generateKeyPairSync("ec", {
      namedCurve: "P-256",
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" },
    }).privateKey,
  );
  expect([await isKeyPair(certificate, key), await isKeyPair("", new Secret("")), await isKeyPair("nonsense", key)]).toEqual([
    false,
    false,
    false,
  ]);
});
