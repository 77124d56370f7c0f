/** The strategies of all built-in kinds, by "group/version/Kind". */
import type { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { strategyOfAnyKind } from "../registry/strategy.ts";
import type { Strategy } from "../registry/strategy.ts";
import { resourceStrategies } from "./strategies/resource-strategies.ts";
import type { ServiceAllocator } from "./strategies/service/service-allocator.ts";
import { workloadStrategies } from "./strategies/workload-strategies.ts";

export interface BuiltInStrategiesOptions {
  readonly allocator: ServiceAllocator;
  /** Passed in, because the folder `custom` is above this one. */
  readonly customResourceDefinition: Strategy<CustomResourceDefinition>;
}

export function builtInStrategies({ allocator, customResourceDefinition }: BuiltInStrategiesOptions): ReadonlyMap<string, Strategy> {
  return new Map([
    ...workloadStrategies,
    ...resourceStrategies({ allocator }),
    ["apiextensions.k8s.io/v1/CustomResourceDefinition", strategyOfAnyKind(customResourceDefinition)],
  ]);
}
