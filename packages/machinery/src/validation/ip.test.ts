import { describe, expect, it } from "vitest";
import type { FieldError } from "../field/field-error.ts";
import {
  cidrWarnings,
  ipWarnings,
  validateCidr,
  validateInterfaceAddress,
  validateIp,
  validateLegacyCidr,
  validateLegacyIp,
} from "./ip.ts";

const details = (errors: readonly FieldError[]): string[] => errors.map((error) => error.detail);

describe("IP and CIDR validation", () => {
  it("requires canonical form in new fields", () => {
    expect([
      validateIp("10.9.8.7", "x"),
      validateIp("2001:db8::1", "x"),
      validateCidr("10.9.8.0/24", "x"),
      validateCidr("::/0", "x"),
      validateInterfaceAddress("10.9.8.7/24", "x"),
    ]).toEqual([[], [], [], [], []]);
    expect(details(validateIp("2001:DB8::1", "x"))).toEqual(['must be in canonical form ("2001:db8::1")']);
    expect(details(validateIp("10.9.8.07", "x"))).toEqual(["must not have leading 0s"]);
    expect(details(validateIp("::ffff:1.2.3.4", "x"))).toEqual(["must not be an IPv4-mapped IPv6 address"]);
    expect(details(validateIp("10.9.8", "x"))).toEqual(["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"]);
    expect(details(validateInterfaceAddress("::ffff:192.168.0.1/120", "x"))).toEqual(['must be in canonical form ("192.168.0.1/24")']);
  });

  it("reports the first error of a block", () => {
    expect(
      ["10.0.0.0/08", "::ffff:1.2.3.4/128", "10.9.8.7/24", "10.0.0.0", "2001:DB8::/64"].map(
        (value) => details(validateCidr(value, "x"))[0],
      ),
    ).toEqual([
      "must not have leading 0s in IP or prefix length",
      "must not have an IPv4-mapped IPv6 address",
      "must not have bits set beyond the prefix length",
      "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)",
      'must be in canonical form ("2001:db8::/64")',
    ]);
  });

  it("accepts older forms in older fields, strictly or not, and unchanged values", () => {
    expect([
      validateLegacyIp("2001:DB8::1", "x"),
      validateLegacyIp("010.0.0.1", "x", { strict: false }),
      validateLegacyIp("nonsense", "x", { oldValues: ["nonsense"] }),
    ]).toEqual([[], [], []]);
    expect([validateLegacyIp("010.0.0.1", "x"), validateLegacyCidr("10.9.8.7/24", "x")].map((errors) => errors.length)).toEqual([1, 1]);
    expect([validateLegacyCidr("10.9.8.7/24", "x", { strict: false }), validateLegacyCidr("?", "x", { oldValues: ["?"] })]).toEqual([
      [],
      [],
    ]);
  });

  it("warns about forms that software parses differently", () => {
    expect(ipWarnings("010.0.0.1", "x")).toEqual(['x: non-standard IP address "010.0.0.1" is invalid: use "10.0.0.1"']);
    expect(ipWarnings("2001:DB8::1", "x")).toEqual([
      'x: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
    ]);
    expect([
      ipWarnings("10.0.0.1", "x"),
      ipWarnings("nonsense", "x"),
      cidrWarnings("10.0.0.0/8", "x"),
      cidrWarnings("nonsense", "x"),
    ]).toEqual([[], [], [], []]);
    expect(cidrWarnings("10.9.8.7/024", "x")).toEqual([
      'x: CIDR value "10.9.8.7/024" is ambiguous in this context (should be "10.9.8.0/24" or "10.9.8.7/32"?)',
      'x: non-standard CIDR value "10.9.8.7/024" is invalid: use "10.9.8.0/24"',
    ]);
    expect(cidrWarnings("2001:DB8::/64", "x")).toEqual([
      'x: IPv6 CIDR value "2001:DB8::/64" should be in RFC 5952 canonical format ("2001:db8::/64")',
    ]);
  });
});
