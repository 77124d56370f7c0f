import { describe, expect, it } from "vitest";
import type { Peer } from "./peer.ts";
import { clientCertificates } from "./client-certificates.ts";

const peer: Peer = { inProcess: false, encrypted: true, remoteAddress: "127.0.0.1" };

describe("client certificates", () => {
  it("name the user and its groups, and leave a trace of which certificate it was", async () => {
    const certificate = { commonName: "jane", organizations: ["dev", "ops"], sha256: "0a1b" };
    expect(await clientCertificates({ headers: {}, peer: { ...peer, certificate } })).toEqual({
      kind: "user",
      user: { name: "jane", groups: ["dev", "ops"], extra: { "authentication.kubernetes.io/credential-id": ["X509SHA256=0a1b"] } },
    });
  });

  it("say nothing without a certificate or without a name in it", async () => {
    expect(await clientCertificates({ headers: {}, peer })).toEqual({ kind: "none" });
    expect(
      await clientCertificates({
        headers: {},
        peer: { ...peer, certificate: { commonName: "", organizations: ["system:masters"], sha256: "" } },
      }),
    ).toEqual({ kind: "none" });
  });

  it("refuse one that does not hold", async () => {
    expect(await clientCertificates({ headers: {}, peer: { ...peer, certificateProblem: "x509: CERT_HAS_EXPIRED" } })).toEqual({
      kind: "refused",
      reason: "x509: CERT_HAS_EXPIRED",
    });
  });
});
