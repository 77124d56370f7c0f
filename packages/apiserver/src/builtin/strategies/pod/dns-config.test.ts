import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import { validateDnsConfig, validateHostAliases, validateHostnameOverride } from "./dns-config.ts";

describe("validateDnsConfig", () => {
  it("requires nameservers for dnsPolicy None", () => {
    expect(texts(validateDnsConfig({ containers: [], dnsPolicy: "None" }, "d"))).toEqual([
      "d: Required value: must provide `dnsConfig` when `dnsPolicy` is None",
    ]);
    expect(texts(validateDnsConfig({ containers: [], dnsPolicy: "None", dnsConfig: {} }, "d"))).toEqual([
      "d.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None",
    ]);
  });

  it("allows three nameservers and valid search domains", () => {
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

describe("host names of a pod", () => {
  it("must be valid in hostAliases", () => {
    expect(texts(validateHostAliases([{ ip: "", hostnames: ["a"] }], "h"))).toEqual([
      'h[0].ip: Invalid value: "": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ]);
  });

  it("allow hostnameOverride only without conflicting settings", () => {
    expect(validateHostnameOverride({ containers: [], hostnameOverride: "a.b" }, "h")).toEqual([]);
    expect(
      texts(validateHostnameOverride({ containers: [], hostnameOverride: "a", hostNetwork: true, setHostnameAsFQDN: true }, "h")),
    ).toEqual([
      "h: Forbidden: may not be specified when setHostnameAsFQDN is true",
      "h: Forbidden: may not be specified when hostNetwork is true",
    ]);
  });
});
