import { describe, expect, it } from "vitest";
import type { Peer } from "./peer.ts";
import { clientCertificates } from "./client-certificates.ts";

const peer: Peer = { inProcess: false, encrypted: true, remoteAddress: "127.0.0.1" };

describe("clientCertificates", () => {
  it("returns the user and groups of the certificate, with its fingerprint as extra", async () => {
    const certificate = { commonName: "jane", organizations: ["dev", "ops"], sha256: "0a1b" };
    expect(await clientCertificates({ headers: {}, peer: { ...peer, certificate } })).toEqual({
      kind: "user",
      user: { name: "jane", groups: ["dev", "ops"], extra: { "authentication.kubernetes.io/credential-id": ["X509SHA256=0a1b"] } },
    });
  });

  it("returns no credential without a certificate or without a common name", async () => {
    expect(await clientCertificates({ headers: {}, peer })).toEqual({ kind: "none" });
    expect(
      await clientCertificates({
        headers: {},
        peer: { ...peer, certificate: { commonName: "", organizations: ["system:masters"], sha256: "" } },
      }),
    ).toEqual({ kind: "none" });
  });

  it("refuses an invalid certificate", async () => {
    expect(await clientCertificates({ headers: {}, peer: { ...peer, certificateProblem: "x509: CERT_HAS_EXPIRED" } })).toEqual({
      kind: "refused",
      reason: "x509: CERT_HAS_EXPIRED",
    });
  });
});
