import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { validateEndpointAddress } from "./endpoint-address.ts";

describe("validateEndpointAddress", () => {
  it.each(["10.0.0.1", "fd00::1", "ff05::1", "224.0.1.1"])("accepts %s", (address) => {
    expect(validateEndpointAddress(address, "ip")).toEqual([]);
  });

  it.each([
    ["x", "must be a valid IP address"],
    ["0.0.0.0", "may not be unspecified (0.0.0.0)"],
    ["::", "may not be unspecified (::)"],
    ["127.9.9.9", "may not be in the loopback range (127.0.0.0/8, ::1/128)"],
    ["::1", "may not be in the loopback range (127.0.0.0/8, ::1/128)"],
    ["169.254.0.1", "may not be in the link-local range (169.254.0.0/16, fe80::/10)"],
    ["febf::1", "may not be in the link-local range (169.254.0.0/16, fe80::/10)"],
    ["224.0.0.9", "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"],
    ["ff02::1", "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"],
  ])("refuses %s", (address, problem) => {
    expect(validateEndpointAddress(address, "ip").map(printFieldError)).toEqual([`ip: Invalid value: "${address}": ${problem}`]);
  });
});
