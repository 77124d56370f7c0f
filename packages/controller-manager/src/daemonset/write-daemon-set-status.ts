/** The status of a DaemonSet on its way to the server. */
import { DaemonSet } from "@drover/api/apps/v1";
import type { DaemonSetStatus } from "@drover/api/apps/v1";
import type { Client } from "@drover/client";
import type { DeepReadonly } from "@drover/machinery";
import type { DaemonSetCounts } from "./daemon-set-status.ts";
import type { DaemonSetView } from "./daemon-set-view.ts";

/** What is written; fields that are absent stay as they are. */
export type DaemonSetStatusChange = Required<DaemonSetCounts> &
  DeepReadonly<Pick<DaemonSetStatus, "collisionCount" | "observedGeneration">>;

/** Writes what is new, if anything is. A write that fails is tried once more on what the server has now. */
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
