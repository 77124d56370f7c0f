/** How services count against quotas: their number, their load balancers, and their node ports. */
import { Quantity } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import type { Service } from "../core/v1.ts";
import type { Amounts } from "./amounts.ts";
import { countName, oneOfEach } from "./evaluator.ts";
import type { QuotaEvaluator } from "./evaluator.ts";

const resource = { group: "", resource: "services" } as const;
const names: readonly string[] = [countName(resource), "services", "services.nodeports", "services.loadbalancers"];

export const serviceEvaluator: QuotaEvaluator = {
  resource,
  handles: ({ subresource }) => subresource === "",
  matchingNames: (given) => given.filter((name) => names.includes(name)),
  matchesScope: () => false,
  missing: () => undefined,
  usage: (object) => usage(object as DeepReadonly<Service>),
};

/** Node ports are counted before they are allocated, so by what the service asks for. */
function usage({ spec }: DeepReadonly<Service>): Amounts {
  const { type, ports = [], allocateLoadBalancerNodePorts } = spec ?? {};
  const result = oneOfEach([countName(resource), "services"]);
  const isBalanced = type === "LoadBalancer";
  const wantsNone = isBalanced && allocateLoadBalancerNodePorts === false;
  const counted = wantsNone ? ports.filter(({ nodePort = 0 }) => nodePort !== 0) : ports;
  result.set("services.loadbalancers", isBalanced ? Quantity.of(1n) : Quantity.zero);
  result.set("services.nodeports", type === "NodePort" || isBalanced ? Quantity.of(BigInt(counted.length)) : Quantity.zero);
  return result;
}

/** Returns the type of a service if it counts as more than a service. */
export function countedServiceType({ spec }: DeepReadonly<Service>): "NodePort" | "LoadBalancer" | undefined {
  return spec?.type === "NodePort" || spec?.type === "LoadBalancer" ? spec.type : undefined;
}
