import { describe, expect, it } from "vitest";
import type { Service } from "../core/v1.ts";
import { printAmounts } from "./amounts.ts";
import { countedServiceType, serviceEvaluator } from "./service-evaluator.ts";

const service = (spec: NonNullable<Service["spec"]>): Service => ({ metadata: {}, spec });
const usage = (spec: NonNullable<Service["spec"]>): string =>
  printAmounts(serviceEvaluator.usage(service({ ports: [{ port: 1 }, { port: 2, nodePort: 30_000 }], ...spec }))).replace(
    "count/services=1,services=1,",
    "",
  );

describe("serviceEvaluator", () => {
  it("counts the node ports and load balancers that a service asks for", () => {
    expect(usage({})).toBe("services.loadbalancers=0,services.nodeports=0");
    expect(usage({ type: "NodePort" })).toBe("services.loadbalancers=0,services.nodeports=2");
    expect(usage({ type: "LoadBalancer" })).toBe("services.loadbalancers=1,services.nodeports=2");
    expect(usage({ type: "LoadBalancer", allocateLoadBalancerNodePorts: false })).toBe("services.loadbalancers=1,services.nodeports=1");
  });

  it("handles creations and updates, of the object itself", () => {
    const handles = (operation: "CREATE" | "UPDATE", subresource: string): boolean =>
      serviceEvaluator.handles({ operation, subresource, object: service({}), old: undefined });
    expect([handles("CREATE", ""), handles("UPDATE", ""), handles("UPDATE", "status")]).toEqual([true, true, false]);
  });
});

describe("countedServiceType", () => {
  it("leaves out types that use nothing", () => {
    expect((["ClusterIP", "NodePort", "LoadBalancer"] as const).map((type) => countedServiceType(service({ type })))).toEqual([
      undefined,
      "NodePort",
      "LoadBalancer",
    ]);
  });
});
