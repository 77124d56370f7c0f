import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { validateIpMode, validateLoadBalancerIngress } from "./load-balancer-status.ts";

describe("validateLoadBalancerIngress", () => {
  it("accepts IP addresses and host names", () => {
    expect(validateLoadBalancerIngress([{ ip: "1.2.3.4", ipMode: "VIP" }, { hostname: "a.b" }], [], "i", validateIpMode)).toEqual([]);
  });

  it("refuses an IP address as host name", () => {
    expect(validateLoadBalancerIngress([{ hostname: "1.2.3.4" }], [], "i").map(printFieldError)).toEqual([
      'i[0].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
    ]);
  });

  it("accepts an invalid address that existed before", () => {
    expect(validateLoadBalancerIngress([{ ip: "01.2.3.4" }], [{ ip: "01.2.3.4" }], "i")).toEqual([]);
    expect(validateLoadBalancerIngress([{ ip: "01.2.3.4" }], [], "i")).toHaveLength(1);
  });

  it("requires ipMode with an IP, and refuses it without", () => {
    expect(
      [{ ip: "1.2.3.4" }, { ipMode: "VIP" }, { ip: "1.2.3.4", ipMode: "Zed" }]
        .flatMap((place) => validateIpMode(place, "m"))
        .map(printFieldError),
    ).toEqual([
      "m: Required value: must be specified when `ip` is set",
      "m: Forbidden: may not be specified when `ip` is not set",
      'm: Unsupported value: "Zed": supported values: "Proxy", "VIP"',
    ]);
  });
});
