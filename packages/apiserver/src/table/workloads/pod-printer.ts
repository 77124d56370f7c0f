/** Pod: readiness, status and restarts. */
import { Pod } from "@drover/api/core/v1";
import type { JsonValue, TableRowCondition } from "@drover/machinery";
import type { TablePrinter } from "../../registry/table-printer.ts";
import { ageOf, elapsed } from "../age.ts";
import { ageColumn, column, nameColumn } from "../columns.ts";
import { typedObject } from "../../typed-object.ts";
import { podSummary } from "./pod-summary.ts";

export const podPrinter: TablePrinter = {
  columns: [
    nameColumn,
    column("Ready", "The number of ready containers out of all."),
    column("Status", "The state of the pod's containers."),
    column("Restarts", "The number of container restarts, and the time since the last."),
    ageColumn,
    column("IP", "The first address of the pod.", { priority: 1 }),
    column("Node", "The node the pod is bound to.", { priority: 1 }),
    column("Nominated Node", "The node where room is being made for the pod.", { priority: 1 }),
    column("Readiness Gates", "The number of readiness gates whose condition is true.", { priority: 1 }),
  ],
  row: (object, now) => {
    const pod = typedObject(Pod, object);
    const conditions = conditionsOf(pod);
    return { cells: cellsOf(pod, now), ...(conditions === undefined ? {} : { conditions }) };
  },
};

function cellsOf(pod: Pod, now: number): JsonValue[] {
  const {
    metadata: { name = "", creationTimestamp },
    spec,
    status,
  } = pod;
  const { ready, total, reason, restarts, lastRestart } = podSummary(pod);
  const restartText = restarts === 0 || lastRestart === undefined ? `${restarts}` : `${restarts} (${elapsed(lastRestart, now)} ago)`;
  return [
    name,
    `${ready}/${total}`,
    reason,
    restartText,
    ageOf(creationTimestamp, now),
    status?.podIPs?.[0]?.ip || "<none>",
    spec?.nodeName || "<none>",
    status?.nominatedNodeName || "<none>",
    readinessGates(pod),
  ];
}

function readinessGates({ spec, status }: Pod): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return "<none>";
  const open = gates.filter(({ conditionType }) => status?.conditions?.find(({ type }) => type === conditionType)?.status === "True");
  return `${open.length}/${gates.length}`;
}

/** Rows of finished pods carry the Completed condition, so that clients can filter them. */
function conditionsOf({ status }: Pod): TableRowCondition[] | undefined {
  const reason = status?.phase;
  if (reason === "Succeeded") return [{ type: "Completed", status: "True", reason, message: "The pod has completed successfully." }];
  return reason === "Failed" ? [{ type: "Completed", status: "True", reason, message: "The pod failed." }] : undefined;
}
