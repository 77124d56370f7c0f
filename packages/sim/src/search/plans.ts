/**
 * The schedules to try: one fault at each place that a run without faults shows, then random ones.
 *
 *     first run → singleFaults → decisions;   seed → randomPlan → Plan
 */
import { createRandom } from "@drover/machinery";
import { drawProfile, faultsOf, noFaults } from "../plan/fault.ts";
import type { Fault, RequestClass } from "../plan/fault.ts";
import { ListedDecisions, SeededDecisions } from "../plan/decisions.ts";
import type { Trace } from "../world/trace.ts";
import type { Plan } from "./run-schedule.ts";

/** One fault at one request. */
const tried: Readonly<Record<RequestClass, readonly Fault[]>> = {
  read: ["error", "crash-before"],
  write: ["error", "lost", "crash-before", "crash-after", "pause"],
  update: ["error", "conflict", "lost", "crash-before", "crash-after", "pause"],
};
/** Late by three and 45 seconds; choices of `Network`. */
const lateEvents: readonly number[] = [2, 3];

/** Returns one plan for each fault at each request of a run without faults, and for each event of a watch that may be late. */
export function* singleFaults(trace: Trace): Generator<Plan> {
  for (const entry of trace.entries) {
    if (entry.kind === "request") {
      const kind: RequestClass = ["get", "list", "watch"].includes(entry.info.verb)
        ? "read"
        : entry.info.verb === "update"
          ? "update"
          : "write";
      for (const fault of tried[kind]) yield listed(new Map([[entry.id, faultsOf[kind].indexOf(fault) + 1]]));
    } else if (entry.kind === "event") for (const late of lateEvents) yield listed(new Map([[entry.id, late]]));
  }
}

export const listed = (decisions: ReadonlyMap<string, number>): Plan => ({
  seed: "learn 1",
  decisions: new ListedDecisions(decisions),
  profile: noFaults,
});

/** A schedule of a seed: the same one for ever. */
export const randomPlan = (seed: string): Plan => ({
  seed,
  decisions: new SeededDecisions(seed),
  profile: drawProfile(createRandom(seed)),
});
