/**
 * Determines whether the processes of a simulation are at rest.
 *
 *     Process[], Timeline → restOf → what is still active
 */
import type { KeyReport } from "@drover/workqueue";
import type { Cause } from "@drover/controller";
import type { ObjectKey } from "@drover/machinery";
import type { Process } from "./process.ts";
import type { Timeline } from "./timeline.ts";

/** Returns what is active, as sentences; empty at rest. Keys that a controller requeued for later are at rest. */
export function restOf(processes: readonly Process[], { elapsedMs }: Timeline): { readonly active: readonly string[] } {
  const active: string[] = [];
  for (const process of processes) {
    const { current } = process;
    if (current === undefined) {
      if (process.isDown) active.push(`${process.name} is down`);
      continue;
    }
    const { life, network, run } = current;
    if (network.underWay > 0) return { active: [`${network.underWay} messages of ${life.name} are under way`] };
    if (life.pausedUntilMs > elapsedMs) active.push(`${life.name} is paused`);
    const phase = run.manager?.state().phase;
    if (phase !== undefined && phase !== "running") active.push(`${life.name} is ${phase}`);
    const informers = [...(run.manager?.state().clusters.flatMap((cluster) => cluster.informers) ?? []), ...(run.informers?.() ?? [])];
    for (const { name, hasSynced, queued, reflector } of informers)
      if (!hasSynced || queued > 0 || reflector.phase !== "watching")
        active.push(`the cache of ${name} of ${life.name} is ${reflector.phase}`);
    for (const controller of run.controllers)
      for (const report of controller.inspectAll()) {
        const why = activity(report);
        if (why !== undefined) active.push(`${report.key} of ${controller.name} ${why}`);
      }
    if (run.isReady?.() === false) active.push(`${life.name} is not ready`);
  }
  return { active };
}

function activity({ state, again, causes }: KeyReport<ObjectKey, Cause>): string | undefined {
  if (state === "running") return "is running";
  if (state === "ready" || again === "ready") return "is ready to run";
  if (state !== "waiting") return undefined;
  if (causes.some(({ type }) => type === "retry")) return "failed and will be retried";
  // Without a cause its controller delays it: until a cache shows its writes, or because only its own writes cause its runs.
  return causes.length === 0 ? "is delayed by its controller" : undefined;
}
