/** Services and pods for tests of endpoints. */
import type { Pod, Service, ServiceSpec } from "@drover/api/core/v1";
import { definedOnly } from "@drover/machinery";
import type { ObjectMeta } from "@drover/machinery";

export interface PodPlan {
  readonly ips?: readonly string[];
  readonly ready?: boolean;
  readonly phase?: NonNullable<NonNullable<Pod["status"]>["phase"]>;
  readonly metadata?: ObjectMeta;
  readonly spec?: Partial<NonNullable<Pod["spec"]>>;
  /** Transition time of its Ready condition. */
  readonly readySince?: string;
}

/** A ready pod on node-1 with label app=web, unless the plan says otherwise. */
export function podOf(
  name: string,
  { ips = ["10.0.0.1"], ready = true, phase = "Running", metadata = {}, spec = {}, readySince }: PodPlan = {},
): Pod {
  const [podIP] = ips;
  return {
    metadata: { namespace: "shop", name, uid: `uid-${name}`, labels: { app: "web" }, ...metadata },
    spec: { nodeName: "node-1", containers: [{ name: "web", ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }] }], ...spec },
    status: {
      phase,
      podIPs: ips.map((ip) => ({ ip })),
      ...definedOnly({ podIP }),
      conditions: [{ type: "Ready", status: ready ? "True" : "False", ...definedOnly({ lastTransitionTime: readySince }) }],
    },
  };
}

/** Service web, port 80 to 8080, with a cluster IP, unless overridden. */
export function serviceOf(spec: ServiceSpec = {}, metadata: ObjectMeta = {}): Service {
  return {
    metadata: { namespace: "shop", name: "web", uid: "uid-service", creationTimestamp: "2026-01-01T00:00:00Z", ...metadata },
    spec: {
      selector: { app: "web" },
      clusterIP: "10.1.0.1",
      ipFamilies: ["IPv4"],
      ports: [{ port: 80, protocol: "TCP", targetPort: 8080 }],
      ...spec,
    },
  };
}

/** So many pods, web-0 and so on, each with its own address. */
export const podsOf = (count: number, plan: PodPlan = {}, from = 0): Pod[] =>
  Array.from({ length: count }, (_, index) =>
    podOf(`web-${from + index}`, {
      ...plan,
      ips: [`10.${2 + Math.floor((from + index) / 60_000)}.${Math.floor((from + index) / 250) % 240}.${(from + index) % 250}`],
    }),
  );
