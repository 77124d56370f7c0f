/** Node: status, roles and system information. */
import type { Node } from "@drover/api/core/v1";
import { compareBytes } from "@drover/machinery";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { printer } from "../printer.ts";

export const nodePrinter: TablePrinter = printer<Node>(
  [
    nameColumn,
    column("Status", "Whether the node is ready and schedulable."),
    column("Roles", "The roles of the node."),
    ageColumn,
    column("Version", "The version of the kubelet."),
    column("Internal-IP", "The address inside the cluster.", { priority: 1 }),
    column("External-IP", "The address from outside.", { priority: 1 }),
    column("OS-Image", "The operating system.", { priority: 1 }),
    column("Kernel-Version", "The version of the kernel, and its architecture.", { priority: 1 }),
    column("Container-Runtime", "The container runtime and its version.", { priority: 1 }),
  ],
  (node, now) => {
    const {
      metadata: { name = "", creationTimestamp },
      status,
    } = node;
    const {
      kubeletVersion = "",
      osImage = "",
      kernelVersion = "",
      architecture = "",
      containerRuntimeVersion = "",
    } = status?.nodeInfo ?? {};
    const kernel = kernelVersion || "<unknown>";
    const address = (wanted: string): string => status?.addresses?.find(({ type }) => type === wanted)?.address ?? "<none>";
    return [
      name,
      statesOf(node).join(","),
      rolesOf(node).join(",") || "<none>",
      ageOf(creationTimestamp, now),
      kubeletVersion,
      address("InternalIP"),
      address("ExternalIP"),
      osImage || "<unknown>",
      architecture === "" ? kernel : `${kernel} (${architecture})`,
      containerRuntimeVersion || "<unknown>",
    ];
  },
);

function statesOf({ spec, status }: Node): string[] {
  const ready = status?.conditions?.findLast(({ type }) => type === "Ready");
  const state = ready === undefined ? "Unknown" : ready.status === "True" ? "Ready" : "NotReady";
  return spec?.unschedulable === true ? [state, "SchedulingDisabled"] : [state];
}

const rolePrefix = "node-role.kubernetes.io/";

/** Roles from label names, or from the value of the older role label. */
function rolesOf({ metadata: { labels = {} } }: Node): string[] {
  const roles = Object.entries(labels).map(([key, value]) =>
    key.startsWith(rolePrefix) ? key.slice(rolePrefix.length) : key === "kubernetes.io/role" ? value : "",
  );
  return [...new Set(roles.filter((role) => role !== ""))].toSorted(compareBytes);
}
