import { Secret } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { isCertificates, isLockedKey, withoutKeys } from "./pem.ts";

const certificate = (bytes = 300): string => {
  const der = Buffer.concat([Buffer.from(bytes < 0x80 ? [0x30, bytes] : [0x30, 0x82, bytes >> 8, bytes & 0xff]), Buffer.alloc(bytes, 7)]);
  return `-----BEGIN CERTIFICATE-----\n${(der.toString("base64").match(/.{1,64}/g) ?? []).join("\n")}\n-----END CERTIFICATE-----\n`;
};

describe("withoutKeys", () => {
  it("removes the key from a certificate file, complete or truncated", () => {
    const key = "-----BEGIN EC PRIVATE KEY-----\nc2VjcmV0\n-----END EC PRIVATE KEY-----\n";
    expect(withoutKeys(`a\n${key}b\n${key.replaceAll("EC ", "")}c`)).toBe("a\nb\nc");
    expect(withoutKeys(`a\n${key.slice(0, 40)}`)).toBe("a\n");
    expect(withoutKeys(certificate(10))).toBe(certificate(10));
  });
});

describe("isCertificates", () => {
  it("accepts one or more certificates, with text and other blocks between them and any line endings", () => {
    expect(isCertificates(certificate())).toBe(true);
    expect(isCertificates(certificate(5))).toBe(true);
    expect(isCertificates(`The root\n${certificate()}\nThe other\n${certificate(900)}`)).toBe(true);
    expect(isCertificates(certificate().replaceAll("\n", "\r\n"))).toBe(true);
    expect(isCertificates(`${certificate()}-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----\n`)).toBe(true);
  });

  it("rejects empty text, garbage, a key, and every truncated file", () => {
    for (const text of [
      "",
      "\n",
      "garbage",
      "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
      "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----",
    ])
      expect(isCertificates(text)).toBe(false);
    const whole = certificate() + certificate();
    const half = certificate().length;
    for (let length = 0; length < whole.length - 1; length++) {
      const isWhole = length >= half - 1 && length < half + "-----BEGIN ".length;
      expect([length, isCertificates(whole.slice(0, length))]).toEqual([length, isWhole]);
    }
  });

  it("rejects a certificate with missing bytes", () => {
    const lines = certificate().split("\n");
    expect(isCertificates(lines.toSpliced(2, 1).join("\n"))).toBe(false);
  });

  it("takes linear time", () => {
    expect(isCertificates("-----BEGIN CERTIFICATE-----\n".repeat(20_000))).toBe(false);
  });
});

describe("isLockedKey", () => {
  it("recognises both forms of encrypted keys", () => {
    expect(isLockedKey(new Secret("-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA"))).toBe(true);
    expect(isLockedKey(new Secret("-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: x"))).toBe(true);
    expect(isLockedKey(new Secret("-----BEGIN PRIVATE KEY-----\nAAAA"))).toBe(false);
  });
});
