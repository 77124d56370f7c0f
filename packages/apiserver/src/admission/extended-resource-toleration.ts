/** ExtendedResourceToleration: pods tolerate the taints named after the extended resources they request. Off by default. */
import { compareBytes } from "@drover/machinery";
import { isExtendedResource } from "../builtin/strategies/pod/resource-names.ts";
import type { AdmissionPlugin } from "./admission.ts";
import { writtenPod } from "./pod-write.ts";
import { withToleration } from "./tolerations.ts";

export const extendedResourceToleration: AdmissionPlugin = {
  name: "ExtendedResourceToleration",
  mutate: (request) => {
    const spec = writtenPod(request)?.spec;
    if (spec === undefined) return;
    const requested = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(({ resources }) =>
      Object.keys(resources?.requests ?? {}).filter(isExtendedResource),
    );
    for (const key of [...new Set(requested)].toSorted(compareBytes))
      spec.tolerations = withToleration(spec.tolerations ?? [], { key, operator: "Exists", effect: "NoSchedule" });
  },
};
