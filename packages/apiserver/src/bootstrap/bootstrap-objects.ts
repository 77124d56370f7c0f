/** The objects that every new cluster has. */
import type { JsonObject } from "@drover/machinery";

export interface BootstrapObject {
  /** The collection to post it to. */
  readonly path: string;
  readonly object: JsonObject;
}

export interface BootstrapOptions {
  /** The range of service addresses, "10.0.0.0/24"; the first one is the server's own. */
  readonly serviceCidr: string;
  readonly serverServiceIp: string;
  /** The port the server listens on. */
  readonly serverPort: number;
}

export function bootstrapObjects({ serviceCidr, serverServiceIp, serverPort }: BootstrapOptions): readonly BootstrapObject[] {
  return [
    ...["kube-system", "kube-public", "kube-node-lease", "default"].map((name): BootstrapObject => ({
      path: "/api/v1/namespaces",
      object: { metadata: { name } },
    })),
    {
      path: "/apis/scheduling.k8s.io/v1/priorityclasses",
      object: {
        metadata: { name: "system-cluster-critical" },
        value: 2_000_000_000,
        description: "For pods that the cluster cannot do without, on whichever node.",
      },
    },
    {
      path: "/apis/scheduling.k8s.io/v1/priorityclasses",
      object: {
        metadata: { name: "system-node-critical" },
        value: 2_000_001_000,
        description: "For pods that their node cannot do without.",
      },
    },
    { path: "/apis/networking.k8s.io/v1/servicecidrs", object: { metadata: { name: "kubernetes" }, spec: { cidrs: [serviceCidr] } } },
    {
      path: "/api/v1/namespaces/default/services",
      object: {
        metadata: { name: "kubernetes", labels: { component: "apiserver", provider: "kubernetes" } },
        spec: {
          clusterIP: serverServiceIp,
          ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: serverPort }],
          sessionAffinity: "None",
          type: "ClusterIP",
        },
      },
    },
  ];
}
