/** Which pod port a service port targets. */
import type { Pod, ServicePort } from "@drover/api/core/v1";
import type { DeepReadonly } from "@drover/machinery";

/**
 * Returns a numeric target as it is. Resolves a name to the first port of that name and protocol, in containers first, then in
 * sidecars; undefined when the pod has none.
 */
export function findPort(
  pod: DeepReadonly<Pod>,
  { port, targetPort = port, protocol = "TCP" }: DeepReadonly<ServicePort>,
): number | undefined {
  if (typeof targetPort === "number") return targetPort === 0 ? port : targetPort;
  const sidecars = (pod.spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  for (const { ports = [] } of [...(pod.spec?.containers ?? []), ...sidecars]) {
    const found = ports.find((one) => one.name === targetPort && (one.protocol ?? "TCP") === protocol);
    if (found !== undefined) return found.containerPort;
  }
  return undefined;
}
