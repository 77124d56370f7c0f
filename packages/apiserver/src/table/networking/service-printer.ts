/** Service: addresses and ports. */
import type { Service, ServicePort } from "@drover/api/core/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { labelText } from "../label-text.ts";
import { printer } from "../printer.ts";
import { loadBalancerText } from "./load-balancer-text.ts";

export const servicePrinter: TablePrinter = printer<Service>(
  [
    nameColumn,
    column("Type", "How the service is exposed."),
    column("Cluster-IP", "The first address inside the cluster."),
    column("External-IP", "Where the service can be reached from outside."),
    column("Port(s)", "The ports of the service and of its nodes."),
    ageColumn,
    column("Selector", "The labels of the pods behind the service.", { priority: 1 }),
  ],
  (service, now) => {
    const {
      metadata: { name = "", creationTimestamp },
      spec,
    } = service;
    return [
      name,
      spec?.type ?? "",
      spec?.clusterIPs?.[0] ?? "<none>",
      externalAddress(service),
      (spec?.ports ?? []).map(portText).join(",") || "<none>",
      ageOf(creationTimestamp, now),
      labelText(spec?.selector),
    ];
  },
);

function externalAddress({ spec, status }: Service): string {
  const given = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case "ClusterIP":
    case "NodePort":
      return given.join(",") || "<none>";
    case "LoadBalancer":
      return [loadBalancerText(status?.loadBalancer?.ingress), ...given].filter((text) => text !== "").join(",") || "<pending>";
    case "ExternalName":
      return spec.externalName ?? "";
    case undefined:
    default:
      return "<unknown>";
  }
}

const portText = ({ port, nodePort = 0, protocol }: ServicePort): string =>
  `${nodePort > 0 ? `${port}:${nodePort}` : port}/${protocol ?? ""}`;
