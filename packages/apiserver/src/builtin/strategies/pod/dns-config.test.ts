import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import { validateDnsConfig, validateHostAliases, validateHostnameOverride } from "./dns-config.ts";

describe("DNS of a pod's own", () => {
  it("has servers", () => {
    expect(texts(validateDnsConfig({ containers: [], dnsPolicy: "None" }, "d"))).toEqual([
      "d: Required value: must provide `dnsConfig` when `dnsPolicy` is None",
    ]);
    expect(texts(validateDnsConfig({ containers: [], dnsPolicy: "None", dnsConfig: {} }, "d"))).toEqual([
      "d.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None",
    ]);
  });

  it("has three servers at most, and search paths that are names", () => {
    expect(
      texts(
        validateDnsConfig(
          { containers: [], dnsConfig: { nameservers: ["1.1.1.1", "1.1.1.2", "1.1.1.3", "x"], searches: [".", "_a.b.", "a_b"] } },
          "d",
        ),
      ),
    ).toEqual([
      'd.nameservers: Invalid value: ["1.1.1.1","1.1.1.2","1.1.1.3","x"]: must not have more than 3 nameservers',
      'd.nameservers[3]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ]);
  });
});

describe("names of a pod", () => {
  it("in its hosts file are names of addresses", () => {
    expect(texts(validateHostAliases([{ ip: "", hostnames: ["a"] }], "h"))).toEqual([
      'h[0].ip: Invalid value: "": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ]);
  });

  it("override the others only where that can be", () => {
    expect(validateHostnameOverride({ containers: [], hostnameOverride: "a.b" }, "h")).toEqual([]);
    expect(
      texts(validateHostnameOverride({ containers: [], hostnameOverride: "a", hostNetwork: true, setHostnameAsFQDN: true }, "h")),
    ).toEqual([
      "h: Forbidden: may not be specified when setHostnameAsFQDN is true",
      "h: Forbidden: may not be specified when hostNetwork is true",
    ]);
  });
});
