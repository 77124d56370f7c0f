import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { CertificateSigningRequest, CertificateSigningRequestSpec } from "@drover/api/certificates/v1";
import { certificateSigningRequestStrategy as strategy } from "./certificate-signing-request-strategy.ts";

const context = { now: 1_000, user: { name: "u", groups: ["g"] }, dryRun: false };
const pem = (type: string): string => btoa(`-----BEGIN ${type}-----\neHh4\n-----END ${type}-----\n`);
const spec: CertificateSigningRequestSpec = {
  request: pem("CERTIFICATE REQUEST"),
  signerName: "example.com/signer",
  usages: ["client auth"],
};
const request = (status: CertificateSigningRequest["status"] = {}): CertificateSigningRequest => ({
  metadata: { name: "a" },
  spec,
  status,
});
const approved = { type: "Approved", status: "True", reason: "r", message: "m" };
const texts = (change: Partial<CertificateSigningRequestSpec>): string[] =>
  (strategy.validate?.({ metadata: { name: "a" }, spec: { ...spec, ...change } }) ?? []).map(printFieldError);

describe("CertificateSigningRequest strategy", () => {
  it("records the requestor, whatever the client sent", () => {
    const made: CertificateSigningRequest = {
      metadata: { name: "a" },
      spec: { ...spec, username: "somebody", extra: { a: ["b"] } },
      status: { certificate: "eA==" },
    };
    strategy.prepareForCreate?.(made, context);
    expect([made.spec, made.status]).toEqual([{ ...spec, username: "u", groups: ["g"] }, {}]);
  });

  it("validates the PEM request, usages and signer name", () => {
    expect(texts({})).toEqual([]);
    expect(texts({ request: pem("CERTIFICATE") })).toEqual([expect.stringContaining("PEM block type must be CERTIFICATE REQUEST")]);
    expect(texts({ usages: ["client auth", "client auth"] })).toEqual(['spec.usages[1]: Duplicate value: "client auth"']);
    expect(texts({ signerName: "a/b" })).toEqual([
      'spec.signerName: Invalid value: "a": should be a domain with at least two segments separated by dots',
    ]);
    expect(texts({ expirationSeconds: 599 })).toHaveLength(1);
  });

  it("keeps the spec immutable", () => {
    const changed = { ...request({ certificate: "eA==" }), spec: { ...spec, signerName: "example.com/other" } };
    strategy.prepareForUpdate?.(changed, request(), context);
    expect(changed).toEqual(request());
  });

  it("accepts Approved and Denied at approval only, with timestamps", () => {
    const approval = strategy.subresources?.["approval"];
    const changed = request({ conditions: [{ ...approved }], certificate: "eA==" });
    approval?.prepareForUpdate?.(changed, request(), context);
    expect(changed.status).toEqual({
      conditions: [{ ...approved, lastUpdateTime: "1970-01-01T00:00:01Z", lastTransitionTime: "1970-01-01T00:00:01Z" }],
    });
    expect(approval?.validateUpdate?.(changed, request())).toEqual([]);
    expect((strategy.subresources?.["status"]?.validateUpdate?.(changed, request()) ?? []).map(printFieldError)).toEqual([
      'status.conditions: Forbidden: updates may not add a condition of type "Approved"',
    ]);
    expect((approval?.validateUpdate?.(request(), changed) ?? []).map(printFieldError)).toEqual([
      'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
    ]);
  });

  it("refuses Approved together with Denied", () => {
    const both = request({ conditions: [approved, { ...approved, type: "Denied" }] });
    expect((strategy.subresources?.["approval"]?.validateUpdate?.(both, request()) ?? []).map(printFieldError)).toEqual([
      'status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
    ]);
  });

  it("accepts the certificate at status, once", () => {
    const status = strategy.subresources?.["status"];
    const signed = request({ certificate: pem("CERTIFICATE") });
    expect(status?.validateUpdate?.(signed, request())).toEqual([]);
    expect(
      (status?.validateUpdate?.(request({ certificate: pem("CERTIFICATE").replace("LQo=", "LS0=") }), signed) ?? []).map(printFieldError),
    ).toContain("status.certificate: Forbidden: updates may not modify existing certificate content");
    expect((status?.validateUpdate?.(request({ certificate: btoa("x") }), request()) ?? []).map(printFieldError)).toEqual([
      'status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block',
    ]);
  });
});
