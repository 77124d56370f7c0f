import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { NetworkPolicyPeer, NetworkPolicyPort, NetworkPolicySpec } from "@drover/api/networking/v1";
import { networkPolicyStrategy } from "./network-policy-strategy.ts";

const metadata = { name: "a" };
const spec = (from: NetworkPolicyPeer[], ports: NetworkPolicyPort[] = []): NetworkPolicySpec => ({
  podSelector: {},
  ingress: [{ from, ports }],
});
const texts = (value: NetworkPolicySpec): string[] =>
  (networkPolicyStrategy.validate?.({ metadata, spec: value }) ?? []).map(printFieldError);

describe("NetworkPolicy strategy", () => {
  it("requires exactly one kind of peer", () => {
    expect(texts(spec([{ podSelector: {}, namespaceSelector: {} }, { ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16"] } }]))).toEqual(
      [],
    );
    expect(texts(spec([{}, { podSelector: {}, ipBlock: { cidr: "10.0.0.0/8" } }]))).toEqual([
      "spec.ingress[0].from[0]: Required value: must specify a peer",
      "spec.ingress[0].from[1]: Forbidden: may not specify both ipBlock and another peer",
    ]);
  });

  it.each(["10.0.0.0/8", "11.0.0.0/16", "fd00::/16"])("refuses the exception %s outside 10.0.0.0/8", (except) => {
    expect(texts(spec([{ ipBlock: { cidr: "10.0.0.0/8", except: [except] } }]))).toEqual([
      `spec.ingress[0].from[0].ipBlock.except[0]: Invalid value: "${except}": must be a strict subset of \`cidr\``,
    ]);
  });

  it("requires endPort not below port", () => {
    expect(texts(spec([{ podSelector: {} }], [{ port: 80, endPort: 90 }]))).toEqual([]);
    expect(texts(spec([{ podSelector: {} }], [{ port: 80, endPort: 70 }, { endPort: 70 }, { port: "a", endPort: 70 }]))).toEqual([
      "spec.ingress[0].ports[0].endPort: Invalid value: 80: must be greater than or equal to `port`",
      "spec.ingress[0].ports[1].endPort: Invalid value: 70: may not be specified when `port` is not specified",
      "spec.ingress[0].ports[2].endPort: Invalid value: 70: may not be specified when `port` is non-numeric",
    ]);
  });

  it("accepts invalid IP blocks that existed before", () => {
    const old = spec([{ ipBlock: { cidr: "10.0.0.1/8" } }]);
    expect(texts(old)).toHaveLength(1);
    expect(networkPolicyStrategy.validateUpdate?.({ metadata, spec: old }, { metadata, spec: old })).toEqual([]);
    expect(networkPolicyStrategy.warningsOnUpdate?.({ metadata, spec: old }, { metadata, spec: old })).toHaveLength(1);
  });

  it("validates policyTypes", () => {
    expect(texts({ podSelector: {}, policyTypes: ["Zed" as "Ingress"] })).toEqual([
      'spec.policyTypes[0]: Unsupported value: "Zed": supported values: "Ingress", "Egress"',
    ]);
  });
});
