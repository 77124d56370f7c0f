import { spawnSync } from "node:child_process";
import { X509Certificate, createPrivateKey } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "../testing/manual-clock.ts";
import { describe, expect, it } from "vitest";
import { nodeCrypto } from "./node-crypto.ts";
import { certificateAuthority, loadCertificateAuthority } from "./certificate-authority.ts";

const day = 24 * 3_600_000;
const authority = certificateAuthority({ commonName: "drover-ca", crypto: nodeCrypto, clock: new ManualClock() });

describe("certificateAuthority", () => {
  it("creates a self-signed CA certificate valid for ten years", () => {
    const certificate = new X509Certificate(authority.certificatePem);
    expect(certificate.ca).toBe(true);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.checkIssued(certificate)).toBe(true);
    expect([certificate.validFrom, certificate.validTo]).toEqual(["Dec 31 23:00:00 2025 GMT", "Dec 30 00:00:00 2035 GMT"]);
  });

  it("issues verifiable certificates with unique keys and serial numbers", () => {
    const root = new X509Certificate(authority.certificatePem);
    const issued = [
      authority.issue({ commonName: "a", usage: "server", ips: ["127.0.0.1"] }),
      authority.issue({ commonName: "b", organizations: ["dev"], usage: "client" }),
    ];
    const certificates = issued.map(({ certificatePem }) => new X509Certificate(certificatePem));
    for (const [index, certificate] of certificates.entries()) {
      expect(certificate.checkIssued(root)).toBe(true);
      expect(certificate.verify(root.publicKey)).toBe(true);
      expect(certificate.checkPrivateKey(createPrivateKey(issued[index]?.privateKeyPem ?? ""))).toBe(true);
      expect(certificate.ca).toBe(false);
    }
    expect(certificates[0]?.serialNumber).not.toBe(certificates[1]?.serialNumber);
    expect(certificates[0]?.checkPrivateKey(createPrivateKey(issued[1]?.privateKeyPem ?? ""))).toBe(false);
  });

  it("never issues a certificate that outlives the CA", () => {
    const clock = new ManualClock();
    const short = certificateAuthority({ commonName: "short", crypto: nodeCrypto, clock, validityMs: 2 * day });
    expect(new X509Certificate(short.issue({ commonName: "a", usage: "server" }).certificatePem).validTo).toBe("Jan  3 00:00:00 2026 GMT");
    expect(new X509Certificate(short.issue({ commonName: "a", usage: "server", validityMs: day }).certificatePem).validTo).toBe(
      "Jan  2 00:00:00 2026 GMT",
    );
  });

  it("issues certificates that another CA does not verify", () => {
    const other = certificateAuthority({ commonName: "drover-ca", crypto: nodeCrypto, clock: new ManualClock() });
    const root = new X509Certificate(other.certificatePem);
    const issued = new X509Certificate(authority.issue({ commonName: "a", usage: "client" }).certificatePem);
    expect(issued.verify(root.publicKey)).toBe(false);
    expect(issued.checkIssued(root)).toBe(false);
  });

  it("issues certificates that OpenSSL accepts for their purpose only", (ctx) => {
    ctx.skip(spawnSync("openssl", ["version"]).status !== 0, "there is no openssl");
    const folder = mkdtempSync(join(tmpdir(), "drover-x509-"));
    try {
      const file = (name: string, pem: string): string => {
        writeFileSync(join(folder, name), pem);
        return join(folder, name);
      };
      const root = file("ca.crt", authority.certificatePem);
      const verify = (purpose: string, usage: "server" | "client"): string => {
        const issued = file(`${usage}.crt`, authority.issue({ commonName: usage, usage, dnsNames: ["localhost"] }).certificatePem);
        const { stdout, stderr } = spawnSync("openssl", [
          "verify",
          "-x509_strict",
          "-attime",
          String(Date.UTC(2026, 0, 2) / 1000),
          "-CAfile",
          root,
          "-purpose",
          purpose,
          issued,
        ]);
        return `${stdout.toString()}${stderr.toString()}`;
      };
      expect(verify("sslserver", "server")).toContain(": OK");
      expect(verify("sslclient", "client")).toContain(": OK");
      expect(verify("sslclient", "server")).toContain("unsuitable certificate purpose");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("loadCertificateAuthority", () => {
  const clock = new ManualClock({ nowMs: Date.UTC(2030, 0, 1) });
  const created = certificateAuthority({ commonName: "ca", crypto: nodeCrypto, clock, validityMs: 1_000_000_000 });
  const load = (pair: { certificatePem: string; privateKeyPem: string }) =>
    loadCertificateAuthority({ ...pair, crypto: nodeCrypto, clock });

  it("issues certificates that the original authority's certificate verifies, not valid longer than it", () => {
    const { certificatePem } = load(created).issue({
      commonName: "web",
      usage: "server",
      dnsNames: ["web.shop.svc"],
      ips: ["::1", "127.0.0.1"],
    });
    const facts = nodeCrypto.readCertificate(certificatePem);
    expect(facts.isIssuedBy(created.certificatePem)).toBe(true);
    expect(facts).toMatchObject({ commonName: "web", isAuthority: false, dnsNames: ["web.shop.svc"], ips: ["::1", "127.0.0.1"] });
    expect(facts.notAfter).toBe(nodeCrypto.readCertificate(created.certificatePem).notAfter);
  });

  it("refuses a foreign key, a leaf, and what is no PEM", () => {
    const other = certificateAuthority({ commonName: "ca", crypto: nodeCrypto, clock });
    const leaf = created.issue({ commonName: "web", usage: "server" });
    expect(() => load({ ...created, privateKeyPem: other.privateKeyPem })).toThrow("does not belong to the certificate");
    expect(() => load(leaf)).toThrow("not one of an authority");
    expect(() => load({ ...created, certificatePem: "no" })).toThrow();
    expect(() => load({ ...created, privateKeyPem: created.privateKeyPem.slice(0, 60) })).toThrow();
    expect(nodeCrypto.readCertificate(leaf.certificatePem).isIssuedBy(other.certificatePem)).toBe(false);
    expect(nodeCrypto.readCertificate(leaf.certificatePem).isIssuedBy("no")).toBe(false);
  });
});
