/**
 * Row 6: no reconcile is lost under load and faults.
 *
 *     npm run soak -- load --for 10m                              5,000 events and 50 faults per second
 *     npm run soak -- load --for 10m --events 20000 --faults 200
 *
 * Three controllers with default options on 6,000 ConfigMaps, over real sockets. A fault is an error instead of an answer, a lost answer,
 * a lost request, or a broken watch: each changes an outcome. A key is lost if, after the last fault, no successful reconcile of it has
 * started with its newest version.
 */
import { countText, durationText } from "./parts/durations.ts";
import { verdictOf } from "./parts/figure.ts";
import type { Measure } from "./parts/figure.ts";
import { LoadScene } from "./parts/load-scene.ts";

const wholeMs = 600_000;

export const measure: Measure = async ({ forMs, seed, eventsPerSecond = 5000, faultsPerSecond = 50, note }) => {
  const scene = await LoadScene.open({ objects: 2000, bytes: 1000, seed });
  try {
    note(`load: ${countText(eventsPerSecond)} events/s and ${faultsPerSecond} faults/s for ${durationText(forMs)}`);
    const { events, deletions, elapsedMs, faults, watchFaults } = await scene.load(eventsPerSecond, faultsPerSecond, forMs);
    const lost = await scene.lost();
    const latency = await scene.operator.call<{ p50Ms: number; p99Ms: number; maxMs: number; reconciles: number; failures: number }>(
      "latency",
    );
    note(
      `load: ${countText(events)} events, ${countText(deletions)} deletions, ${countText(latency.reconciles)} reconciles, ${countText(latency.failures)} failed; commit to reconcile p50 ${latency.p50Ms.toFixed(0)} ms, p99 ${latency.p99Ms.toFixed(0)} ms, max ${durationText(latency.maxMs)}`,
    );
    for (const key of lost.keys.slice(0, 10)) note(`load: lost ${key}`);
    const rate = (events * 1000) / elapsedMs;
    const faultRate = (faults * 1000) / elapsedMs;
    const isFull = rate >= eventsPerSecond * 0.98 && faultRate >= faultsPerSecond * 0.98;
    return [
      {
        row: 6,
        name: "lost reconciles under load",
        target: `0 at ${countText(eventsPerSecond)} events/s and ${faultsPerSecond} faults/s for 10 min`,
        measured: `${lost.keys.length} lost at ${countText(rate)} events/s and ${faultRate.toFixed(1)} faults/s for ${durationText(elapsedMs)} (${countText(events)} events, ${countText(faults)} faults, of them ${countText(watchFaults)} broken watches); settled after ${durationText(lost.afterMs)}`,
        verdict: verdictOf(lost.keys.length === 0 && isFull, forMs >= wholeMs),
        ...(isFull ? {} : { reason: "the machine does not reach the rate" }),
        command: `npm run soak -- load --for ${durationText(forMs).replaceAll(" ", "").replace("min", "m")}${eventsPerSecond === 5000 ? "" : ` --events ${eventsPerSecond} --faults ${faultsPerSecond}`}`,
      },
    ];
  } finally {
    await scene.close();
  }
};
