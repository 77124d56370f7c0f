import type { IngressClass, NetworkPolicy, NetworkPolicySpec } from "@drover/api/networking/v1";
import { describe, expect, it } from "vitest";
import { setIngressClassDefaults, setNetworkPolicyDefaults } from "./networking-defaults.ts";

const made = (spec: NetworkPolicySpec): NetworkPolicySpec | undefined => {
  const policy: NetworkPolicy = { metadata: {}, spec };
  setNetworkPolicyDefaults(policy);
  return policy.spec;
};

describe("defaults of NetworkPolicy", () => {
  it("set the policy type Ingress, and Egress if there are egress rules", () => {
    expect(made({})?.policyTypes).toEqual(["Ingress"]);
    expect(made({ egress: [{}] })?.policyTypes).toEqual(["Ingress", "Egress"]);
    expect(made({ policyTypes: ["Egress"] })?.policyTypes).toEqual(["Egress"]);
  });

  it("set the port protocol TCP in both directions", () => {
    expect(made({ ingress: [{ ports: [{ port: 80 }] }], egress: [{ ports: [{ protocol: "UDP" }, {}] }, {}] })).toMatchObject({
      ingress: [{ ports: [{ port: 80, protocol: "TCP" }] }],
      egress: [{ ports: [{ protocol: "UDP" }, { protocol: "TCP" }] }, {}],
    });
  });
});

describe("defaults of IngressClass", () => {
  it("set the scope Cluster of parameters", () => {
    const classes: IngressClass[] = [
      { metadata: {} },
      { metadata: {}, spec: { parameters: { kind: "K", name: "n" } } },
      { metadata: {}, spec: { parameters: { kind: "K", name: "n", scope: "Namespace" } } },
    ];
    classes.forEach(setIngressClassDefaults);
    expect(classes.map(({ spec }) => spec?.parameters?.scope)).toEqual([undefined, "Cluster", "Namespace"]);
  });
});
