/** The status of a Job on its way to the server, and whether it says anything new. */
import { Job } from "@drover/api/batch/v1";
import type { Client } from "@drover/client";
import { semanticEqual } from "@drover/machinery";
import type { JobStatusView } from "./count-finished.ts";
import type { JobView } from "./job-view.ts";

/**
 * Writes it over the Job as it was read. Rejects with a conflict when somebody else wrote meanwhile: what was counted
 * is to be counted anew.
 */
export async function writeJobStatus(client: Client, job: JobView, status: JobStatusView): Promise<JobView> {
  return await client.resource(Job).status.update({ ...job, status: plain(status) }, { namespace: job.metadata.namespace ?? "" });
}

/** Whether writing the second over the first would change nothing. */
export function sameJobStatus(before: JobStatusView | undefined, after: JobStatusView): boolean {
  return semanticEqual(plain(before ?? {}), plain(after));
}

/** As the server writes it: without numbers that are 0 and texts that are empty, where these say no more than nothing at all does. */
function plain({ active = 0, succeeded = 0, failed = 0, completedIndexes = "", conditions = [], ...status }: JobStatusView): JobStatusView {
  return {
    ...status,
    ...(active === 0 ? {} : { active }),
    ...(succeeded === 0 ? {} : { succeeded }),
    ...(failed === 0 ? {} : { failed }),
    ...(completedIndexes === "" ? {} : { completedIndexes }),
    ...(conditions.length === 0 ? {} : { conditions }),
  };
}
