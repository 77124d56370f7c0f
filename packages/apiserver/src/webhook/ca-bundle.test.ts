import { describe, expect, it } from "vitest";
import { caBundleProblem } from "./ca-bundle.ts";

const pem = (type: string, body: string): string => btoa(`-----BEGIN ${type}-----\n${body}\n-----END ${type}-----\n`);
const sequence = (length: number): string => btoa(String.fromCharCode(0x30, 0x82, length >> 8, length & 255) + "x".repeat(length));

describe("caBundleProblem", () => {
  it("accepts an empty or valid CA bundle", () => {
    expect(caBundleProblem("")).toBeUndefined();
    expect(caBundleProblem(pem("CERTIFICATE", sequence(700)))).toBeUndefined();
    expect(caBundleProblem(pem("CERTIFICATE", btoa("\u0030\u0001x")))).toBeUndefined();
  });

  it("reports a CA bundle that is not PEM, has no certificate, or a broken one", () => {
    expect(caBundleProblem(btoa("rubbish"))).toBe("unable to load root certificates: unable to parse bytes as PEM block");
    expect(caBundleProblem(pem("PUBLIC KEY", sequence(300)))).toBe(
      "unable to load root certificates: no valid certificate authority data seen",
    );
    expect(caBundleProblem(pem("CERTIFICATE", btoa("abc")))).toBe(
      "unable to load root certificates: failed to parse certificate: x509: malformed certificate",
    );
  });
});
