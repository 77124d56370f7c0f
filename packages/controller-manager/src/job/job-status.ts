/** Writes the status of a Job, and compares statuses. */
import { Job } from "@drover/api/batch/v1";
import type { Client } from "@drover/client";
import { semanticEqual } from "@drover/machinery";
import type { JobStatusView } from "./count-finished.ts";
import type { JobView } from "./job-view.ts";

/**
 * Writes the status over the Job as it was read. Rejects with a conflict after a concurrent write, because the pods must then be
 * counted again.
 */
export async function writeJobStatus(client: Client, job: JobView, status: JobStatusView): Promise<JobView> {
  return await client.resource(Job).status.update({ ...job, status: plain(status) }, { namespace: job.metadata.namespace ?? "" });
}

/** Whether writing the second over the first would change nothing. */
export function sameJobStatus(before: JobStatusView | undefined, after: JobStatusView): boolean {
  return semanticEqual(plain(before ?? {}), plain(after));
}

/** As the server writes it: without zero counts and empty texts that equal missing ones. */
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
