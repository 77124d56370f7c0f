/** The strategies of all built-in kinds, by "group/version/Kind". */
import type { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import type { Job } from "@drover/api/batch/v1";
import { beginCrdDeletion } from "../custom/crd-deletion.ts";
import { crdStrategy } from "../custom/definition/crd-strategy.ts";
import type { Strategy } from "../registry/strategy.ts";
import { jobStrategy } from "./strategies/job-strategy.ts";
import { resourceStrategies } from "./strategies/resource-strategies.ts";
import type { ServiceAllocator } from "./strategies/service/service-allocator.ts";
import { workloadStrategies } from "./strategies/workload-strategies.ts";

/** A definition goes when its objects are gone. */
const definitions: Strategy<CustomResourceDefinition> = { ...crdStrategy, markForDeletion: (crd, { now }) => beginCrdDeletion(crd, now) };

const jobs: Strategy<Job> = {
  ...jobStrategy,
  warningsOnDelete: (_job, { propagationPolicy, orphanDependents }) =>
    propagationPolicy !== undefined || orphanDependents !== undefined
      ? []
      : [
          "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning",
        ],
};

export function builtInStrategies({ allocator }: { readonly allocator: ServiceAllocator }): ReadonlyMap<string, Strategy> {
  return new Map([
    ...workloadStrategies,
    ...resourceStrategies({ allocator }),
    ["batch/v1/Job", jobs as unknown as Strategy],
    ["apiextensions.k8s.io/v1/CustomResourceDefinition", definitions as unknown as Strategy],
  ]);
}
