/** The objects that every new cluster has. */
import type { JsonObject } from "@drover/machinery";

export interface BootstrapObject {
  /** The collection to post it to. */
  readonly path: string;
  readonly object: JsonObject;
}

export interface BootstrapOptions {
  /** The range of service addresses: "10.0.0.0/24". */
  readonly serviceCidr: string;
  /** The authority of client certificates, PEM. */
  readonly clientAuthorityPem: string | undefined;
  /** Today in UTC, "2026-11-18". */
  readonly today: string;
}

/** The namespaces that the server creates again when they are deleted. */
export const systemNamespaces: readonly BootstrapObject[] = ["kube-system", "kube-public", "kube-node-lease", "default"].map((name) => ({
  path: "/api/v1/namespaces",
  object: { metadata: { name } },
}));

export function bootstrapObjects(options: BootstrapOptions): readonly BootstrapObject[] {
  const { serviceCidr, clientAuthorityPem, today } = options;
  return [
    ...systemNamespaces,
    {
      path: "/api/v1/namespaces/kube-system/configmaps",
      object: { metadata: { name: "kube-apiserver-legacy-service-account-token-tracking" }, data: { since: today } },
    },
    // Extension API servers read here whom they may trust.
    ...(clientAuthorityPem === undefined
      ? []
      : [
          {
            path: "/api/v1/namespaces/kube-system/configmaps",
            object: { metadata: { name: "extension-apiserver-authentication" }, data: { "client-ca-file": clientAuthorityPem } },
          },
        ]),
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
  ];
}

export interface ServerServiceOptions {
  /** The first address of the range. */
  readonly serverServiceIp: string;
  /** The port the server listens on. */
  readonly serverPort: number;
}

/** The Service by which pods reach the server. */
export function serverService({ serverServiceIp, serverPort }: ServerServiceOptions): BootstrapObject {
  return {
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
  };
}
