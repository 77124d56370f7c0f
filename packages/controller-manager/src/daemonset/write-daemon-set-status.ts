/** Writes the status of a DaemonSet. */
import { DaemonSet } from "@drover/api/apps/v1";
import type { DaemonSetStatus } from "@drover/api/apps/v1";
import type { Client } from "@drover/client";
import type { DeepReadonly } from "@drover/machinery";
import type { DaemonSetCounts } from "./daemon-set-status.ts";
import type { DaemonSetView } from "./daemon-set-view.ts";

/** New values; absent fields stay as they are. */
export type DaemonSetStatusChange = Required<DaemonSetCounts> &
  DeepReadonly<Pick<DaemonSetStatus, "collisionCount" | "observedGeneration">>;

/** Writes the status if it differs. Retries a failed write once, on the current object of the server. */
export async function writeDaemonSetStatus(client: Client, daemonSet: DaemonSetView, change: DaemonSetStatusChange): Promise<void> {
  const { status } = daemonSet;
  const fields = Object.keys(change) as readonly (keyof DaemonSetStatusChange)[];
  if (status !== undefined && fields.every((field) => (status[field] ?? 0) === change[field])) return;
  const { name = "", namespace = "" } = daemonSet.metadata;
  const sets = client.resource(DaemonSet);
  const write = (over: DaemonSetView): Promise<DaemonSet> =>
    sets.status.update({ ...over, status: { ...over.status, ...change } }, { namespace });
  try {
    await write(daemonSet);
  } catch {
    await write(await sets.get(name, { namespace }));
  }
}
