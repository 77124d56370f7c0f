import { nodeCrypto } from "@drover/machinery/node";
import { ManualClock } from "@drover/machinery/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { certificatesIn, defaultLifetimes, nextCertificates, secretKeys } from "./certificates-state.ts";
import type { SecretTexts } from "./certificates-state.ts";

const day = 24 * 3_600_000;
const names = { dnsNames: ["hooks.shop.svc"], ips: ["127.0.0.1"] };

function rig() {
  const clock = new ManualClock({ nowMs: Date.UTC(2030, 0, 1) });
  const next = (texts: SecretTexts, wanted = names) =>
    nextCertificates(texts, { names: wanted, crypto: nodeCrypto, clock, authorityName: "shop", lifetimes: defaultLifetimes });
  return { clock, next };
}

/** Throws unless a client that trusts the bundle accepts the certificate now. */
function expectServable(texts: SecretTexts, now: number, bundle = texts[secretKeys.bundle]): void {
  const leaf = nodeCrypto.readCertificate(texts[secretKeys.certificate] ?? "");
  expect(leaf.hasKey(nodeCrypto.loadKey(texts[secretKeys.privateKey] ?? ""))).toBe(true);
  expect(leaf.notBefore).toBeLessThanOrEqual(now);
  expect(leaf.notAfter).toBeGreaterThan(now);
  expect(leaf).toMatchObject(names);
  const issuer = certificatesIn(bundle).find((pem) => leaf.isIssuedBy(pem));
  expect(issuer).toBeDefined();
  expect(nodeCrypto.readCertificate(issuer ?? "").notAfter).toBeGreaterThan(now);
}

describe("nextCertificates", () => {
  it("creates an authority and a certificate, and then changes nothing", () => {
    const { clock, next } = rig();
    const { texts, steps } = next({});
    expect(steps).toEqual(["created an authority", "issued a certificate: the last one was missing or damaged"]);
    expectServable(texts, clock.now());
    expect(next(texts)).toMatchObject({ texts, steps: [] });
  });

  it("renews the certificate after two thirds of its ninety days, and keeps the authority", async () => {
    const { clock, next } = rig();
    const { texts } = next({});
    await clock.advance(59 * day);
    expect(next(texts).steps).toEqual([]);
    await clock.advance(2 * day);
    const renewed = next(texts);
    expect(renewed.steps).toEqual(["issued a certificate: the last one was due for renewal"]);
    expect(renewed.texts[secretKeys.bundle]).toBe(texts[secretKeys.bundle]);
    expectServable(renewed.texts, clock.now());
  });

  it("adds the next authority to the bundle an hour before it issues, and keeps the old one until it expires", async () => {
    const { clock, next } = rig();
    let { texts } = next({});
    const first = certificatesIn(texts[secretKeys.bundle])[0];
    await clock.advance(244 * day);
    texts = next(texts).texts;
    const both = texts;
    expect(certificatesIn(both[secretKeys.bundle])).toHaveLength(2);
    expectServable(both, clock.now(), first);
    await clock.advance(3_599_999);
    expect(next(texts).steps).toEqual([]);
    await clock.advance(1);
    texts = next(texts).texts;
    expectServable(texts, clock.now(), both[secretKeys.bundle]);
    expect(nodeCrypto.readCertificate(texts[secretKeys.certificate] ?? "").isIssuedBy(first ?? "")).toBe(false);
    expect(texts).not.toHaveProperty([secretKeys.nextAuthority]);
    await clock.advance(122 * day);
    expect(certificatesIn(next(texts).texts[secretKeys.bundle])).not.toContain(first);
  });

  it("serves for ten years, and a client that has not seen the last change of the bundle accepts every certificate", async () => {
    const { clock, next } = rig();
    let { texts } = next({});
    const certificates = new Set<string>();
    for (let days = 0; days < 3650; days += 10) {
      const before = texts[secretKeys.bundle];
      texts = next(texts).texts;
      certificates.add(texts[secretKeys.certificate] ?? "");
      expectServable(texts, clock.now(), before);
      expect(certificatesIn(texts[secretKeys.bundle]).length).toBeLessThanOrEqual(3);
      await clock.advance(10 * day);
    }
    expect(certificates.size).toBeGreaterThan(50);
  });

  it("replaces everything that expired while no replica ran", async () => {
    const { clock, next } = rig();
    const { texts } = next({});
    await clock.advance(400 * day);
    const renewed = next(texts);
    expectServable(renewed.texts, clock.now());
    expect(certificatesIn(renewed.texts[secretKeys.bundle])).toHaveLength(1);
  });

  it("issues for the names of all replicas", () => {
    const { next } = rig();
    const other = { dnsNames: ["other.shop.svc"], ips: [] };
    const both = next(next({}).texts, other).texts;
    expect(nodeCrypto.readCertificate(both[secretKeys.certificate] ?? "")).toMatchObject({
      dnsNames: ["other.shop.svc", "hooks.shop.svc"],
      ips: ["127.0.0.1"],
    });
    expect([next(both).steps, next(both, other).steps]).toEqual([[], []]);
  });

  it("repairs a Secret that was damaged in any way, in one step", () => {
    const { clock, next } = rig();
    const sound = next({}).texts;
    const foreign = next({}).texts;
    const damages = fc.constantFrom<((text: string) => string) | undefined>(
      undefined,
      () => "",
      () => "junk",
      (text) => text.slice(0, text.length / 2),
      (text) => `${text}\n${text}`,
      (text) => text.replaceAll("A", "B"),
    );
    const key = fc.constantFrom(...Object.values(secretKeys));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(key, fc.oneof(damages, fc.constant("foreign" as const))), { minLength: 1, maxLength: 4 }),
        (changes) => {
          const texts: Record<string, string> = { ...sound };
          for (const [name, damage] of changes) {
            const text = damage === "foreign" ? foreign[name] : damage?.(texts[name] ?? "");
            if (text === undefined) delete texts[name];
            else texts[name] = text;
          }
          const repaired = next(texts).texts;
          expectServable(repaired, clock.now());
          expect(next(repaired).steps).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });
});
