/**
 * Stands in for the Job controller in tests on a server without one: marks a Job as finished, with a status that the
 * server accepts.
 *
 *     await endJob(t, "build-1a2b3c4", "Complete");
 */
import type { Harness } from "drover/testing";
import { Job } from "drover/kinds";

/** Marks a Job as finished. The server requires start and end times, and the interim condition before each final one. */
export async function endJob(t: Harness, name: string, how: "Complete" | "Failed", message = ""): Promise<void> {
  const now = new Date(t.client.clock.now()).toISOString().replace(/\.\d+Z$/, "Z");
  const times = { lastProbeTime: now, lastTransitionTime: now };
  const isGood = how === "Complete";
  await t.status(Job, name, { startTime: now });
  await t.status(Job, name, {
    ...(isGood ? { completionTime: now, succeeded: 1 } : { failed: 1 }),
    conditions: [
      { type: isGood ? "SuccessCriteriaMet" : "FailureTarget", status: "True", message, ...times },
      { type: how, status: "True", message, ...times },
    ],
  });
}
