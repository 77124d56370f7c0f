/** A simulated node: its Node object, its Lease, and its pod addresses. */
import type { Node, NodeCondition } from "@drover/api/core/v1";
import type { Lease } from "@drover/api/coordination/v1";
import { formatMicroTime, formatTime, millisToMicros, newOwnerReference } from "@drover/machinery";
import type { DeepReadonly, QuantityValue } from "@drover/machinery";
import { Node as NodeKind } from "@drover/api/core/v1";

export interface SimulatedNodeOptions {
  /** "node-1" */
  readonly name: string;
  /** Further labels: zones, sizes. @default the labels of every node */
  readonly labels?: Readonly<Record<string, string>>;
  /** Allocatable resources. @default 8 CPUs, 32Gi of memory, 100Gi of disk, 110 pods */
  readonly resources?: Readonly<Record<string, QuantityValue>>;
  /** Range of its pods' addresses. */
  readonly podCidr: string;
  /** Its own address. */
  readonly address: string;
}

export const leaseNamespace = "kube-node-lease";
const leaseSeconds = 40;
const usualResources: Readonly<Record<string, QuantityValue>> = { cpu: "8", memory: "32Gi", "ephemeral-storage": "100Gi", pods: "110" };
const kubeletVersion = "v1.36.3";

/** The object as a kubelet registers it. */
export function nodeObject({ name, labels = {}, podCidr }: SimulatedNodeOptions): Node {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      labels: {
        "beta.kubernetes.io/arch": "amd64",
        "beta.kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        ...labels,
      },
      annotations: { "node.alpha.kubernetes.io/ttl": "0" },
    },
    spec: { podCIDR: podCidr, podCIDRs: [podCidr] },
  };
}

/** The status of a healthy node. */
export function nodeStatus(
  { name, resources = {}, address }: SimulatedNodeOptions,
  now: number,
  before: DeepReadonly<Node> | undefined,
): NonNullable<Node["status"]> {
  const all = { ...usualResources, ...resources };
  return {
    capacity: all,
    allocatable: all,
    addresses: [
      { type: "InternalIP", address },
      { type: "Hostname", address: name },
    ],
    conditions: nodeConditions(now, before),
    nodeInfo: {
      architecture: "amd64",
      operatingSystem: "linux",
      osImage: "simulated",
      kernelVersion: "simulated",
      containerRuntimeVersion: "simulated://1",
      kubeletVersion,
      kubeProxyVersion: kubeletVersion,
      bootID: "",
      machineID: "",
      systemUUID: "",
    },
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
  };
}

/** Conditions of a healthy node: unchanged ones keep their transition time, the heartbeat is now. */
export function nodeConditions(now: number, before: DeepReadonly<Node> | undefined): NodeCondition[] {
  const known = new Map((before?.status?.conditions ?? []).map((condition) => [condition.type, condition]));
  return wellBeing.map(([type, status, reason, message]) => {
    const since = known.get(type)?.status === status ? known.get(type)?.lastTransitionTime : undefined;
    return { type, status, reason, message, lastHeartbeatTime: formatTime(now), lastTransitionTime: since ?? formatTime(now) };
  });
}

const wellBeing: readonly (readonly [NodeCondition["type"], NodeCondition["status"], string, string])[] = [
  ["MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"],
  ["DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"],
  ["PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"],
  ["Ready", "True", "KubeletReady", "kubelet is posting ready status"],
];

/** The lease that shows that the node is alive. */
export function nodeLease(node: DeepReadonly<Node>, now: number): Lease {
  const { name = "" } = node.metadata;
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name, namespace: leaseNamespace, ownerReferences: [newOwnerReference(node, NodeKind)] },
    spec: { holderIdentity: name, leaseDurationSeconds: leaseSeconds, renewTime: formatMicroTime(millisToMicros(now)) },
  };
}
