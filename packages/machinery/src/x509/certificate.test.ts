import { X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { nodeCrypto } from "./node-crypto.ts";
import { certificateDer } from "./certificate.ts";
import type { CertificateFields } from "./certificate.ts";

const key = nodeCrypto.generateKeyPair();
const fields: CertificateFields = {
  issuer: { commonName: "ca" },
  subject: { commonName: "web" },
  usage: "server",
  publicKeyDer: key.publicKeyDer,
  serial: Uint8Array.of(0x42, 1),
  notBefore: Date.UTC(2026, 0, 1),
  notAfter: Date.UTC(2060, 0, 1),
  dnsNames: [],
  ips: [],
  subjectKeyId: Uint8Array.of(1),
  authorityKeyId: Uint8Array.of(2),
  sign: key.sign,
};
const parsed = (changes: Partial<CertificateFields>): X509Certificate => new X509Certificate(certificateDer({ ...fields, ...changes }));

describe("certificateDer", () => {
  it("encodes subject, issuer and validity", () => {
    const certificate = parsed({ subject: { commonName: "jürgen", organizations: ["dev", "system:masters"] } });
    expect(certificate.subject).toBe("O=dev\nO=system:masters\nCN=jürgen");
    expect(certificate.issuer).toBe("CN=ca");
    expect(certificate.serialNumber).toBe("4201");
    expect([certificate.validFrom, certificate.validTo]).toEqual(["Jan  1 00:00:00 2026 GMT", "Jan  1 00:00:00 2060 GMT"]);
  });

  it("encodes DNS names and IP addresses of both families", () => {
    const certificate = parsed({ dnsNames: ["localhost", "*.example.com"], ips: ["127.0.0.1", "::1", "::ffff:10.0.0.1"] });
    expect(certificate.subjectAltName).toBe(
      "DNS:localhost, DNS:*.example.com, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, IP Address:10.0.0.1",
    );
    expect(certificate.checkHost("api.example.com")).toBe("*.example.com");
    expect(certificate.checkIP("::1")).toBe("::1");
    expect(parsed({}).subjectAltName).toBeUndefined();
  });

  it("restricts the certificate to server, client or signing use", () => {
    expect(parsed({}).keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
    expect(parsed({ usage: "client" }).keyUsage).toEqual(["1.3.6.1.5.5.7.3.2"]);
    expect(parsed({ usage: "authority" }).keyUsage).toBeUndefined();
    expect([parsed({}).ca, parsed({ usage: "authority" }).ca]).toEqual([false, true]);
  });

  it("throws for invalid DNS names and IP addresses", () => {
    expect(() => parsed({ dnsNames: ["bücher.example"] })).toThrow(
      'a certificate cannot be issued for the DNS name "bücher.example": use its ASCII form',
    );
    expect(() => parsed({ dnsNames: [""] })).toThrow("DNS name");
    expect(() => parsed({ ips: ["localhost"] })).toThrow(
      'a certificate cannot be issued for the address "localhost": it is neither IPv4 nor IPv6',
    );
  });
});
