/** The decisions of the checks. */
import { nodeCrypto } from "@drover/machinery/node";
import { ManualClock } from "@drover/machinery/testing";
import { certificateAuthority } from "@drover/machinery/x509";
import { describe, expect, it } from "vitest";
import { clockFinding, validity } from "./check-connection.ts";
import { definitionProblems } from "./check-definitions.ts";
import { leaseProblems } from "./check-leases.ts";
import { nodeFinding, serverFinding } from "./check-versions.ts";
import { authorityProblems } from "./check-webhooks.ts";
import type { CalledHook } from "./check-webhooks.ts";
import { summed } from "./finding.ts";
import { findingText, verdictText } from "./finding-text.ts";
import { neededRights } from "./rules-file.ts";

const nowMs = Date.UTC(2026, 0, 15);
const day = 24 * 3_600_000;

it("validity warns a week before a certificate expires, and fails before and after its time", () => {
  const verdictFor = (from: number, to: number): string | undefined =>
    validity("certificate", "it", { notBeforeMs: nowMs + from * day, notAfterMs: nowMs + to * day }, nowMs)[0]?.verdict;
  expect([verdictFor(-1, 30), verdictFor(-1, 6), verdictFor(1, 30), verdictFor(-30, -1)]).toEqual(["ok", "warn", "fail", "fail"]);
  expect(validity("certificate", "it", undefined, nowMs)).toEqual([]);
});

it("clockFinding allows a minute, and says in which direction the clock is wrong", () => {
  expect(clockFinding(30_000).verdict).toBe("ok");
  expect(clockFinding(3_600_000).says).toBe("this machine's clock is 60m behind the server's");
  expect(clockFinding(-90_000).says).toBe("this machine's clock is 90s ahead of the server's");
  expect(clockFinding(undefined).verdict).toBe("skip");
});

it("serverFinding and nodeFinding compare versions with those that are supported", () => {
  const server = (minor: string, major = "1"): string => serverFinding({ major, minor, gitVersion: `v${major}.${minor}` } as never).verdict;
  expect([server("36"), server("30+"), server("38"), server("27"), server("x"), server("1", "2")]).toEqual([
    "ok",
    "ok",
    "ok",
    "fail",
    "warn",
    "warn",
  ]);
  expect(["v20.18.0", "v20.19.0", "v22.0.0", "v18.20.0"].map((version) => nodeFinding(version).verdict)).toEqual([
    "fail",
    "ok",
    "ok",
    "fail",
  ]);
});

describe("definitionProblems", () => {
  const established = [{ type: "Established", status: "True" as const }];
  const problems = (status: object, metadata = {}): readonly string[] =>
    definitionProblems({
      metadata: { name: "widgets.shop.example.com", ...metadata },
      spec: { versions: [{ name: "v1" }, { name: "v2" }] },
      status: { conditions: established, ...status },
    } as never).map(({ verdict, fix }) => `${verdict}: ${fix ?? ""}`);

  it("accepts one that is served and stored in one version", () => {
    expect(problems({ storedVersions: ["v2"] })).toEqual([]);
  });

  it("finds one that is not established, going, or stored in several or lost versions", () => {
    expect(problems({ conditions: [] })).toEqual(["fail: kubectl describe crd widgets.shop.example.com"]);
    expect(problems({}, { deletionTimestamp: "2026-01-01T00:00:00Z" })[0]).toMatch(/^warn: look for finalizers/);
    expect(problems({ storedVersions: ["v1", "v2"] })).toEqual(["warn: drover migrate widgets.shop.example.com"]);
    expect(problems({ storedVersions: ["v0", "v1"] })[0]).toMatch(/^fail: add the version again/);
  });
});

it("leaseProblems finds holders that have not renewed for a minute longer than they may", () => {
  const lease = (spec: object) => leaseProblems({ metadata: { name: "a", namespace: "b" }, spec }, nowMs).map(({ says }) => says);
  const renewed = (secondsAgo: number): string => new Date(nowMs - secondsAgo * 1000).toISOString().replace("Z", "000Z");
  expect(lease({ holderIdentity: "x", leaseDurationSeconds: 15, renewTime: renewed(70) })).toEqual([]);
  expect(lease({ holderIdentity: "", leaseDurationSeconds: 15, renewTime: renewed(7000) })).toEqual([]);
  expect(lease({ holderIdentity: "x", leaseDurationSeconds: 15, renewTime: renewed(90) })).toEqual([
    "b/a: x holds it and has renewed it not for 90s: the holder is gone",
  ]);
  expect(lease({ holderIdentity: "x" })[0]).toContain("never");
});

describe("authorityProblems", () => {
  const hook = (caBundle: string | undefined, over: Partial<CalledHook> = {}): CalledHook => ({
    name: "webhook a/b",
    isRequired: true,
    caBundle,
    service: { namespace: "shop", name: "hooks", port: 443 },
    ...over,
  });
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  const authority = certificateAuthority({ commonName: "a", crypto: nodeCrypto, clock: new ManualClock({ nowMs }), validityMs: 10 * day });

  it("accepts a bundle that is valid, and none for a URL", () => {
    expect(authorityProblems(hook(base64(authority.certificatePem)), nowMs)).toEqual([]);
    expect(authorityProblems(hook(undefined, { service: undefined }), nowMs)).toEqual([]);
  });

  it("finds bundles that are missing, no certificate, or expired, as a warning if failures are ignored", () => {
    expect(authorityProblems(hook(undefined), nowMs)[0]?.says).toContain("has no caBundle");
    expect(authorityProblems(hook(base64("-----BEGIN CERTIFICATE-----\nbm8=\n-----END CERTIFICATE-----")), nowMs)[0]?.says).toContain(
      "without a certificate",
    );
    const [late] = authorityProblems(hook(base64(authority.certificatePem), { isRequired: false }), nowMs + 11 * day);
    expect([late?.verdict, late?.says]).toEqual(["warn", "webhook a/b has a caBundle that expired on 2026-01-25"]);
  });
});

describe("neededRights", () => {
  const role = (kind: string, rules: object[], metadata = {}) => ({ kind, metadata, rules }) as never;

  it("lists each verb of each resource once, with namespace, name and subresource", () => {
    const rule = { apiGroups: ["apps"], resources: ["deployments/status"], verbs: ["get", "patch"], resourceNames: ["web"] };
    expect(neededRights([role("Role", [rule, rule], { namespace: "shop" })], "f")).toEqual([
      { verb: "get", group: "apps", resource: "deployments", subresource: "status", name: "web", namespace: "shop" },
      { verb: "patch", group: "apps", resource: "deployments", subresource: "status", name: "web", namespace: "shop" },
    ]);
  });

  it("refuses files with more rights than are asked about", () => {
    const verbs = Array.from({ length: 1001 }, (_, index) => `v${index}`);
    expect(() => neededRights([role("ClusterRole", [{ apiGroups: [""], resources: ["pods"], verbs }])], "f")).toThrow("1001 rights");
  });
});

it("summed lists twenty problems of a check, and counts the others", () => {
  const problems = Array.from({ length: 30 }, () => ({ check: "a", verdict: "fail" as const, says: "b" }));
  expect(summed("a", problems, "fine")).toHaveLength(21);
  expect(summed("a", problems, "fine").at(-1)?.says).toBe("… and 10 further problems of this kind");
  expect(summed("a", [], "fine")).toEqual([{ check: "a", verdict: "ok", says: "fine" }]);
});

it("findingText and verdictText fit into 80 columns and show no escape sequences", () => {
  const finding = { check: "server", verdict: "fail" as const, says: `\u001b[2J ${"word ".repeat(40)}`, fix: "fix it ".repeat(20) };
  const text = findingText(finding);
  expect(text.every((line) => line.length <= 80 && !line.includes("\u001b"))).toBe(true);
  expect(verdictText([finding, { ...finding, verdict: "warn" }])).toBe("1 check failed, 1 warning.");
  expect(verdictText([{ ...finding, verdict: "ok" }])).toBe("All checks passed.");
});
