import { describe, expect, it } from "vitest";
import { isCidr, isHostname, isIPv4Format, isIPv6Format, isMac } from "./format-network.ts";

describe("network formats", () => {
  it("accept IPv4 with leading zeros, and mapped into IPv6", () => {
    expect(["1.2.3.4", "01.002.3.4", "::ffff:1.2.3.4"].every(isIPv4Format)).toBe(true);
    expect(["", "1.2.3", "1.2.3.256", "::1", "1.2.3.4.5", "1.2.3.x"].some(isIPv4Format)).toBe(false);
  });

  it("parse IPv6 strictly and without a zone", () => {
    expect(["::", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "1:2:3:4:5:6:1.2.3.4", "::1.2.3.4"].every(isIPv6Format)).toBe(true);
    expect(["1.2.3.4", "1::2::3", "1:2:3:4:5:6:7:8::", "00001::", "fe80::1%a", "::01.2.3.4", ":", ":::", "1:"].some(isIPv6Format)).toBe(
      false,
    );
  });

  it("require a CIDR prefix that fits the family", () => {
    expect(["1.2.3.4/32", "01.2.3.4/08", "::/128", "00001::/0"].every(isCidr)).toBe(true);
    expect(["1.2.3.4/33", "::/129", "1.2.3.4", "/8", "1.2.3.4/"].some(isCidr)).toBe(false);
  });

  it("accept MAC addresses of 6, 8 and 20 octets", () => {
    expect(["01:23:45:67:89:ab", "01-23-45-67-89-AB", "0123.4567.89ab", "0123456789ab", "0123.4567.89ab.cdef"].every(isMac)).toBe(true);
    expect(["01:23-45:67:89:ab", "01:23:45:67:89", "0123456789a"].some(isMac)).toBe(false);
  });

  it("accept host names of any script, limited in bytes", () => {
    expect(["a", "a-b", "example.com", "ä.de", "😀"].every(isHostname)).toBe(true);
    expect(["", "-a", "a.b", "a_b", "a..de", `${"a".repeat(64)}.com`, "é".repeat(40), `${"a.".repeat(130)}com`].some(isHostname)).toBe(
      false,
    );
  });
});
