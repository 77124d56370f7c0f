/** Ingress: class, hosts, addresses and ports. */
import type { Ingress, IngressRule } from "@drover/api/networking/v1";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";
import { loadBalancerText } from "./load-balancer-text.ts";

/** Number of hosts shown. */
const most = 3;

export const ingressPrinter: TablePrinter = printer<Ingress>(
  [
    nameColumn,
    column("Class", "The ingress class."),
    column("Hosts", "The hosts that have rules."),
    column("Address", "Where the load balancer can be reached."),
    column("Ports", "The ports that are open."),
    ageColumn,
  ],
  ({ metadata: { name = "", creationTimestamp }, spec, status }, now) => [
    name,
    spec?.ingressClassName ?? "<none>",
    hostsText(spec?.rules ?? []),
    loadBalancerText(status?.loadBalancer?.ingress),
    (spec?.tls ?? []).length === 0 ? "80" : "80, 443",
    ageOf(creationTimestamp, now),
  ],
);

/**
 * Prints three hosts. As in kube-apiserver, any further rule counts as another host, and the count assumes that every earlier
 * rule had one.
 */
function hostsText(rules: readonly IngressRule[]): string {
  const hosts: string[] = [];
  for (const { host = "" } of rules) {
    if (hosts.length === most) return `${hosts.join(",")} + ${rules.length - most} more...`;
    if (host !== "") hosts.push(host);
  }
  return hosts.join(",") || "*";
}
