/** Which port of a pod a port of a service leads to. */
import type { Pod, ServicePort } from "@drover/api/core/v1";
import type { DeepReadonly } from "@drover/machinery";

/**
 * A number is that port. A name is the first port of that name and protocol, of the containers first and then of init containers that go on
 * running; undefined when the pod has none.
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
