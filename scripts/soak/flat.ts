/**
 * Row 13: an operator that runs for long does not grow.
 *
 *     npm run soak -- flat --for 2h
 *
 * In real time: 300 events and 5 faults per second over sockets, and once a minute the heap after a collection, the sockets, timers and
 * listeners of the operator. In virtual time: one day of a cache with a server that misbehaves at random.
 */
import { setTimeout as delay } from "node:timers/promises";
import { soakCache } from "@drover/cache/testing";
import { countText, durationText } from "./parts/durations.ts";
import { verdictOf } from "./parts/figure.ts";
import type { Figure, Measure, SoakOptions } from "./parts/figure.ts";
import { heapBytes } from "./parts/heap.ts";
import { LoadScene } from "./parts/load-scene.ts";
import type { OperatorSample } from "./parts/scene.ts";
import { slopeOf } from "./parts/statistics.ts";

const wholeMs = 7_200_000;
/** A shorter run is warm-up, and its growth, scaled to an hour, says nothing: it is shown and not judged. */
const judgedMs = 600_000;
const hourMs = 3_600_000;
const limitMegabytesPerHour = 1;
const command = "npm run soak -- flat";
/** For a slope and its margin. */
const samplesMin = 4;
/** Sockets open and close under faults; more than this at rest is a leak. */
const slack = 2;

export const measure: Measure = async (options) => [await realSoak(options), await virtualDay(options)];

async function realSoak({ forMs, seed, eventsPerSecond = 300, faultsPerSecond = 5, note }: SoakOptions): Promise<Figure> {
  const scene = await LoadScene.open({ objects: 2000, bytes: 1000, seed });
  const samples: (OperatorSample & { readonly atMs: number })[] = [];
  const rounds = Math.max(12, Math.min(120, Math.round(forMs / 60_000)));
  const beganMs = performance.now();
  try {
    const elapsedMs = (): number => performance.now() - beganMs;
    for (let round = 0; samples.length < samplesMin || elapsedMs() < forMs; round++) {
      await scene.load(eventsPerSecond, faultsPerSecond, (forMs / rounds) * 0.6);
      const { keys } = await scene.lost();
      if (keys.length > 0) throw new Error(`lost ${keys.slice(0, 10).join(", ")}`);
      await delay(500);
      const sample = await scene.operator.call<OperatorSample>("sample");
      // The first fifth warms up: compiled code, pools and histograms.
      if (elapsedMs() >= forMs / 5) samples.push({ ...sample, atMs: elapsedMs() });
      if (round % 10 === 0)
        note(`flat: ${durationText(elapsedMs())}, heap ${sample.heapMegabytes.toFixed(2)} MB, ${JSON.stringify(sample.resources)}`);
    }
  } finally {
    await scene.close();
  }
  return judged(samples, forMs);
}

function judged(samples: readonly (OperatorSample & { readonly atMs: number })[], forMs: number): Figure {
  const { slope, margin } = slopeOf(samples.map(({ atMs, heapMegabytes }) => [atMs / hourMs, heapMegabytes]));
  const third = Math.ceil(samples.length / 3);
  const most = (of: readonly OperatorSample[]): number => Math.max(...of.map(handlesOf));
  const [early, late] = [most(samples.slice(0, third)), most(samples.slice(-third))];
  const isConstant = late <= early + slack && samples.at(-1)?.listeners === samples[0]?.listeners;
  // A slope that is uncertain by more than the limit says nothing; one that is above it with certainty is a leak.
  const isFlat = slope - margin < limitMegabytesPerHour;
  const isKnown = slope + margin < limitMegabytesPerHour;
  return {
    row: 13,
    name: "soak in real time",
    target: "2 h: heap slope below 1 MB/h; sockets, timers and listeners constant",
    measured: `${slope.toFixed(2)} ± ${margin.toFixed(2)} MB/h at ${samples.at(-1)?.heapMegabytes.toFixed(1)} MB over ${durationText(forMs)}; sockets and timers at most ${early} in the first third, ${late} in the last; ${samples.at(-1)?.listeners} listeners; ${countText(samples.at(-1)?.reconciles ?? 0)} reconciles`,
    verdict:
      forMs < judgedMs && isConstant
        ? "open"
        : verdictOf(isFlat && isConstant && (isKnown || forMs < wholeMs), forMs >= wholeMs && isKnown),
    ...(isKnown ? {} : { reason: "too short to tell the slope from 1 MB/h" }),
    command: `${command} --for ${forMs >= wholeMs ? "2h" : `${Math.round(forMs / 1000)}s`}`,
  };
}

function handlesOf({ resources }: OperatorSample): number {
  return Object.values(resources).reduce((sum, count) => sum + count, 0);
}

/** About seven and a half writes per virtual second. */
const dayEvents = 24 * 3600 * 7.5;

async function virtualDay({ forMs, seed, note }: SoakOptions): Promise<Figure> {
  const share = Math.min(1, forMs / 300_000);
  note(`flat: ${(24 * share).toFixed(1)} virtual hours`);
  await soakCache({ seed, events: 2000 });
  const before = await heapBytes();
  const beganMs = performance.now();
  const { differences, restarts, compactions, watches, virtualMs } = await soakCache({ seed, events: Math.ceil(dayEvents * share) });
  const tookMs = performance.now() - beganMs;
  const grownMegabytes = ((await heapBytes()) - before) / 2 ** 20;
  for (const difference of differences.slice(0, 10)) note(`flat: ${difference}`);
  return {
    row: 13,
    name: "soak in virtual time",
    target: "24 h in under 10 min, cache and server equal at the end",
    measured: `${durationText(virtualMs)} in ${durationText(tookMs)}, ${differences.length} differences after ${restarts} restarts, ${compactions} compactions and ${countText(watches)} watches; heap ${grownMegabytes >= 0 ? "+" : ""}${grownMegabytes.toFixed(1)} MB`,
    verdict: verdictOf(differences.length === 0 && grownMegabytes < 5 && tookMs < 600_000, virtualMs >= 24 * hourMs),
    command,
  };
}
