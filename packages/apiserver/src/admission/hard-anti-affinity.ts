/** LimitPodHardAntiAffinityTopology: required anti-affinity only between nodes. Off by default. */
import type { AdmissionPlugin } from "./admission.ts";
import { writtenPod } from "./pod-write.ts";
import { refusal } from "./refusal.ts";

const hostname = "kubernetes.io/hostname";

export const limitPodHardAntiAffinityTopology: AdmissionPlugin = {
  name: "LimitPodHardAntiAffinityTopology",
  validate: (request) => {
    const terms = writtenPod(request)?.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const other = terms.find(({ topologyKey }) => topologyKey !== hostname);
    if (other !== undefined)
      throw refusal(
        request,
        `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${other.topologyKey} but only key ${hostname} is allowed`,
      );
  },
};
