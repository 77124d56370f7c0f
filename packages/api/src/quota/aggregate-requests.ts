/** The maximum that a pod's containers request at the same time: init containers run one by one, sidecars keep running. */
import type { Quantity, DeepReadonly } from "@drover/machinery";
import type { Container, PodSpec } from "../core/v1.ts";
import { addTo, amountsOf, raiseTo } from "./amounts.ts";
import type { Amounts } from "./amounts.ts";

/** What containers declare. */
export type RequirementField = "requests" | "limits";

/** Returns the amounts by resource name. `ofContainer` replaces what a container declares. */
export function aggregateRequests(
  spec: DeepReadonly<Pick<PodSpec, "containers" | "initContainers">>,
  field: RequirementField,
  ofContainer: (container: DeepReadonly<Container>) => Amounts = ({ resources }) => amountsOf(resources?.[field]),
): Map<string, Quantity> {
  const total = new Map<string, Quantity>();
  for (const container of spec.containers ?? []) addTo(total, ofContainer(container));
  const sidecars = new Map<string, Quantity>();
  const starting = new Map<string, Quantity>();
  for (const container of spec.initContainers ?? []) {
    const amounts = new Map(ofContainer(container));
    if (container.restartPolicy === "Always") {
      addTo(total, amounts);
      addTo(sidecars, amounts);
      raiseTo(starting, sidecars);
    } else {
      addTo(amounts, sidecars);
      raiseTo(starting, amounts);
    }
  }
  raiseTo(total, starting);
  return total;
}
