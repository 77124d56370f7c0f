import { describe, expect, it } from "vitest";
import { valueOf } from "../testing/evaluate-text.ts";

describe("CEL ip and cidr functions", () => {
  it.each<[text: string, value: unknown]>([
    ["ip('10.0.0.1').family()", 4n],
    ["cidr('10.9.9.9/8').masked() == cidr('10.0.0.0/8')", true],
    ["cidr('10.0.0.0/8').containsCIDR('10.0.0.0/7')", false],
    ["ip('fe80::1').isLinkLocalUnicast() && ip('::1').isLoopback() && ip('224.0.0.1').isLinkLocalMulticast()", true],
    ["string(ip('2001:DB8::1'))", "2001:db8::1"],
    ["isCIDR('10.0.0.0/33')", false],
  ])("evaluate %s to %s", (text, value) => {
    expect(valueOf(text)).toEqual(value);
  });
});
