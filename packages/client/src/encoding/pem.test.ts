import { Secret } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { isCertificates, isLockedKey, withoutKeys } from "./pem.ts";

const certificate = (bytes = 300): string => {
  const der = Buffer.concat([Buffer.from(bytes < 0x80 ? [0x30, bytes] : [0x30, 0x82, bytes >> 8, bytes & 0xff]), Buffer.alloc(bytes, 7)]);
  return `-----BEGIN CERTIFICATE-----\n${(der.toString("base64").match(/.{1,64}/g) ?? []).join("\n")}\n-----END CERTIFICATE-----\n`;
};

describe("a certificate with its key in one file", () => {
  it("is read without the key, whole or cut off", () => {
    const key = "-----BEGIN EC PRIVATE KEY-----\nc2VjcmV0\n-----END EC PRIVATE KEY-----\n";
    expect(withoutKeys(`a\n${key}b\n${key.replaceAll("EC ", "")}c`)).toBe("a\nb\nc");
    expect(withoutKeys(`a\n${key.slice(0, 40)}`)).toBe("a\n");
    expect(withoutKeys(certificate(10))).toBe(certificate(10));
  });
});

describe("isCertificates", () => {
  it("takes one certificate or many, with words and other blocks between them and any line ends", () => {
    expect(isCertificates(certificate())).toBe(true);
    expect(isCertificates(certificate(5))).toBe(true);
    expect(isCertificates(`The root\n${certificate()}\nThe other\n${certificate(900)}`)).toBe(true);
    expect(isCertificates(certificate().replaceAll("\n", "\r\n"))).toBe(true);
    expect(isCertificates(`${certificate()}-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----\n`)).toBe(true);
  });

  it("refuses nothing, garbage, a key, and every file that was cut off", () => {
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

  it("refuses a certificate whose bytes are not all there", () => {
    const lines = certificate().split("\n");
    expect(isCertificates(lines.toSpliced(2, 1).join("\n"))).toBe(false);
  });

  it("takes linear time", () => {
    expect(isCertificates("-----BEGIN CERTIFICATE-----\n".repeat(20_000))).toBe(false);
  });
});

describe("isLockedKey", () => {
  it("knows both ways to lock a key", () => {
    expect(isLockedKey(new Secret("-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA"))).toBe(true);
    expect(isLockedKey(new Secret("-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: x"))).toBe(true);
    expect(isLockedKey(new Secret("-----BEGIN PRIVATE KEY-----\nAAAA"))).toBe(false);
  });
});
