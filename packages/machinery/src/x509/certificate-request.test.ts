import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { certificateRequestSubject } from "./certificate-request.ts";
import { derBits, derInteger, derObjectId, derSequence, derSet, derTagged, derUtf8 } from "./der.ts";
import { formatPem } from "./pem.ts";

const attribute = (id: string, text: string): Uint8Array => derSet(derSequence(derObjectId(id), derUtf8(text)));
const requestDer = (names: readonly Uint8Array[]): Uint8Array =>
  derSequence(
    derSequence(derInteger(Uint8Array.of(0)), derSequence(...names), derSequence(), derTagged(0, new Uint8Array(), { constructed: true })),
    derSequence(derObjectId("1.2.840.10045.4.3.2")),
    derBits(Uint8Array.of(1)),
  );
const names = [attribute("2.5.4.10", "dev"), attribute("2.5.4.11", "unit"), attribute("2.5.4.10", "ops"), attribute("2.5.4.3", "jäne")];

describe("the subject of a certificate request", () => {
  it("has the common name and the organizations", () => {
    expect(certificateRequestSubject(formatPem("CERTIFICATE REQUEST", requestDer(names)))).toEqual({
      commonName: "jäne",
      organizations: ["dev", "ops"],
    });
    expect(certificateRequestSubject(formatPem("CERTIFICATE REQUEST", requestDer([])))).toEqual({ commonName: "", organizations: [] });
  });

  it("needs the right PEM block", () => {
    expect(() => certificateRequestSubject("x")).toThrow("PEM block type must be CERTIFICATE REQUEST");
    expect(() => certificateRequestSubject(formatPem("CERTIFICATE", requestDer(names)))).toThrow("PEM block type");
  });

  it("is an Error for damaged bytes, never another failure", () => {
    const whole = requestDer(names);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), (at, byte, length) => {
        const damaged = Uint8Array.from(whole.subarray(0, length));
        if (at < damaged.length) damaged[at] = byte;
        try {
          certificateRequestSubject(formatPem("CERTIFICATE REQUEST", damaged));
        } catch (error) {
          expect(String(error)).toMatch(/^Error: (?:asn1: |PEM block type)/);
        }
      }),
    );
  });
});
