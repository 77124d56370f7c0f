import { describe, expect, it } from "vitest";
import { caBundleProblem } from "./ca-bundle.ts";

const pem = (type: string, body: string): string => btoa(`-----BEGIN ${type}-----\n${body}\n-----END ${type}-----\n`);
const sequence = (length: number): string => btoa(String.fromCharCode(0x30, 0x82, length >> 8, length & 255) + "x".repeat(length));

describe("a bundle of certificates", () => {
  it("is fine when there is none, or one that can be read", () => {
    expect(caBundleProblem("")).toBeUndefined();
    expect(caBundleProblem(pem("CERTIFICATE", sequence(700)))).toBeUndefined();
    expect(caBundleProblem(pem("CERTIFICATE", btoa("\u0030\u0001x")))).toBeUndefined();
  });

  it("is told to be no PEM, no certificate, or a broken one", () => {
    expect(caBundleProblem(btoa("rubbish"))).toBe("unable to load root certificates: unable to parse bytes as PEM block");
    expect(caBundleProblem(pem("PUBLIC KEY", sequence(300)))).toBe(
      "unable to load root certificates: no valid certificate authority data seen",
    );
    expect(caBundleProblem(pem("CERTIFICATE", btoa("abc")))).toBe(
      "unable to load root certificates: failed to parse certificate: x509: malformed certificate",
    );
  });
});
