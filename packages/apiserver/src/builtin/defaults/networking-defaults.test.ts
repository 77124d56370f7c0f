import type { IngressClass, NetworkPolicy, NetworkPolicySpec } from "@drover/api/networking/v1";
import { describe, expect, it } from "vitest";
import { setIngressClassDefaults, setNetworkPolicyDefaults } from "./networking-defaults.ts";

const made = (spec: NetworkPolicySpec): NetworkPolicySpec | undefined => {
  const policy: NetworkPolicy = { metadata: {}, spec };
  setNetworkPolicyDefaults(policy);
  return policy.spec;
};

describe("a network policy", () => {
  it("is about what comes in, and about what goes out if it says something of that", () => {
    expect(made({})?.policyTypes).toEqual(["Ingress"]);
    expect(made({ egress: [{}] })?.policyTypes).toEqual(["Ingress", "Egress"]);
    expect(made({ policyTypes: ["Egress"] })?.policyTypes).toEqual(["Egress"]);
  });

  it("speaks TCP both ways", () => {
    expect(made({ ingress: [{ ports: [{ port: 80 }] }], egress: [{ ports: [{ protocol: "UDP" }, {}] }, {}] })).toMatchObject({
      ingress: [{ ports: [{ port: 80, protocol: "TCP" }] }],
      egress: [{ ports: [{ protocol: "UDP" }, { protocol: "TCP" }] }, {}],
    });
  });
});

describe("an ingress class", () => {
  it("has parameters for the whole cluster", () => {
    const classes: IngressClass[] = [
      { metadata: {} },
      { metadata: {}, spec: { parameters: { kind: "K", name: "n" } } },
      { metadata: {}, spec: { parameters: { kind: "K", name: "n", scope: "Namespace" } } },
    ];
    classes.forEach(setIngressClassDefaults);
    expect(classes.map(({ spec }) => spec?.parameters?.scope)).toEqual([undefined, "Cluster", "Namespace"]);
  });
});
