import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isIpv4, parseIpAddress, printIpAddress } from "./ip-address.ts";

const reprint = (text: string): string | undefined => {
  const address = parseIpAddress(text);
  return address && printIpAddress(address);
};

describe("parseIpAddress", () => {
  it.each([
    ["1.2.3.4", "1.2.3.4"],
    ["010.002.003.004", "10.2.3.4"],
    ["::", "::"],
    ["0:0:0:0:0:0:0:1", "::1"],
    ["FE80:0:0:0:0:0:0:0ABC", "fe80::abc"],
    ["1:0:0:2:0:0:0:3", "1:0:0:2::3"],
    ["1:0:0:2:0:0:3:4", "1::2:0:0:3:4"],
    ["1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"],
    ["::ffff:1.2.3.4", "1.2.3.4"],
    ["::1.2.3.4", "::102:304"],
    ["1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"],
  ])("parses %s as %s", (text, printed) => {
    expect(reprint(text)).toBe(printed);
  });

  it.each([
    "",
    "1",
    "1.2.3",
    "1.2.3.4.5",
    "1.2.3.256",
    "1.2.3.a",
    "1.2.3.",
    ":",
    ":::",
    "::1::",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7:8::",
    "12345::",
    "g::",
    "1.2.3.4::",
    "::1.2.3.4:5",
    "fe80::1%eth0",
    " ::1",
    "::1/64",
  ])("rejects %j", (text) => {
    expect(reprint(text)).toBeUndefined();
  });

  it("marks leading zeros and the form", () => {
    expect(
      [parseIpAddress("1.2.3.04"), parseIpAddress("::00001"), parseIpAddress("::ffff:1.2.3.04"), parseIpAddress("0::0001")].map(
        (address) => address?.leadingZeros,
      ),
    ).toEqual([true, true, true, false]);
    expect(
      [parseIpAddress("1.2.3.4"), parseIpAddress("::ffff:1.2.3.4")].map((address) => [address?.written6, address && isIpv4(address)]),
    ).toEqual([
      [false, true],
      [true, true],
    ]);
  });

  it("round-trips through the canonical text", () => {
    const byte = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(fc.array(byte, { minLength: 16, maxLength: 16 }), (bytes) => {
        const text = printIpAddress({ bytes });
        expect(parseIpAddress(text)?.bytes).toEqual(bytes);
        expect(parseIpAddress(text)?.leadingZeros).toBe(false);
      }),
    );
  });
});
