/** Host ports of a node that pods use. */
import type { Pod } from "@drover/api/core/v1";
import type { DeepReadonly } from "@drover/machinery";

export interface HostPort {
  readonly port: number;
  readonly protocol: string;
  /** "0.0.0.0" for every address. */
  readonly address: string;
}

const everyAddress = "0.0.0.0";

/** Returns the host ports of a pod, including its sidecars. */
export function hostPortsOf({ spec }: DeepReadonly<Pod>): readonly HostPort[] {
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  return [...(spec?.containers ?? []), ...sidecars].flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort = 0, protocol = "TCP", hostIP = "" }) =>
      hostPort > 0 ? [{ port: hostPort, protocol, address: hostIP === "" ? everyAddress : hostIP }] : [],
    ),
  );
}

export function portsCollide(wanted: readonly HostPort[], taken: readonly HostPort[]): boolean {
  return wanted.some((one) =>
    taken.some(
      (other) =>
        one.port === other.port &&
        one.protocol === other.protocol &&
        (one.address === other.address || one.address === everyAddress || other.address === everyAddress),
    ),
  );
}
