/** Defaults of NetworkPolicy and IngressClass. */
import type { IngressClass, NetworkPolicy } from "@drover/api/networking/v1";
import { elements } from "./elements.ts";

/** Every policy applies to ingress, and to egress if it has egress rules. */
export function setNetworkPolicyDefaults(policy: NetworkPolicy): void {
  const spec = (policy.spec ??= {});
  if (elements(spec.policyTypes).length === 0) spec.policyTypes = elements(spec.egress).length === 0 ? ["Ingress"] : ["Ingress", "Egress"];
  for (const { ports } of [...elements(spec.ingress), ...elements(spec.egress)]) {
    for (const port of elements(ports)) port.protocol ??= "TCP";
  }
}

export function setIngressClassDefaults(ingressClass: IngressClass): void {
  const parameters = ingressClass.spec?.parameters;
  if (parameters !== undefined) parameters.scope ??= "Cluster";
}
