import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkDns1035Label,
  checkDns1123Label,
  checkDns1123Subdomain,
  checkDns1123SubdomainWithUnderscore,
  checkWildcardDns1123Subdomain,
} from "./dns-name.ts";

const isGood =
  (check: (value: string) => string[]) =>
  (value: string): boolean =>
    check(value).length === 0;
const isLabel = (text: string): boolean =>
  text.length > 0 &&
  text.length <= 63 &&
  Array.from(text).every((char) => "abcdefghijklmnopqrstuvwxyz0123456789-".includes(char)) &&
  !text.startsWith("-") &&
  !text.endsWith("-");

describe("DNS name checks", () => {
  it.each(["a", "ab", "a1", "a-1", "a--1--2--b", "0", "1a", "x".repeat(63)])("accept the label %s", (value) => {
    expect(checkDns1123Label(value)).toEqual([]);
  });

  it("explain why a label is invalid", () => {
    expect(checkDns1123Label("a.b")).toEqual(["must not contain dots"]);
    expect(checkDns1123Label("x".repeat(64))).toEqual(["must be no more than 63 characters"]);
    expect(checkDns1123Label("A_")).toEqual([
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ]);
  });

  it("split subdomains at dots", () => {
    expect(["a", "a.b", "1.2.3", "a-b.c", "x".repeat(253)].filter(isGood(checkDns1123Subdomain))).toHaveLength(5);
    expect(["", ".", "a.", ".a", "a..b", "A", "a_b", "a.-b", "x".repeat(254)].filter(isGood(checkDns1123Subdomain))).toEqual([]);
    expect(checkDns1123Subdomain("x".repeat(254), "bytes")).toEqual(["must be no more than 253 bytes"]);
  });

  it("have variants: a letter first, a wildcard, underscores", () => {
    expect(["a", "a1"].filter(isGood(checkDns1035Label))).toHaveLength(2);
    expect(["1a", "", "a.b", "x".repeat(64)].filter(isGood(checkDns1035Label))).toEqual([]);
    expect(["*.a", "*.a.b"].filter(isGood(checkWildcardDns1123Subdomain))).toHaveLength(2);
    expect(["*", "*.*.a", "*a", "a.*", "a"].filter(isGood(checkWildcardDns1123Subdomain))).toEqual([]);
    expect(["_a", "a_b._c"].filter(isGood(checkDns1123SubdomainWithUnderscore))).toHaveLength(2);
    expect(["__a", "a_", "_"].filter(isGood(checkDns1123SubdomainWithUnderscore))).toEqual([]);
  });

  it("agree with a naive reading of the rules", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "0", "-", ".", "A", "_", "é"), maxLength: 8 }), (text) => {
        expect(isGood(checkDns1123Label)(text)).toBe(isLabel(text));
        expect(isGood(checkDns1123Subdomain)(text)).toBe(text.split(".").every(isLabel));
      }),
    );
  });

  it("take time proportional to the text", () => {
    expect(checkDns1123Subdomain(`${"a-".repeat(500_000)}!`)).toHaveLength(2);
    expect(checkDns1123Subdomain(`${"a.".repeat(500_000)}!`)).toHaveLength(2);
  });
});
