/**
 * Row 14: the event loop of the operator while it relists 100,000 objects.
 *
 *     npm run soak -- relist --repetitions 10
 *
 * The server drops its connections and its history, so that the caches of three namespaces relist 100,000 ConfigMaps of 2.5 kB. The delay
 * is measured from then until a change of that moment has been reconciled, every millisecond.
 */
import { setTimeout as delay } from "node:timers/promises";
import { startChild } from "./parts/child.ts";
import { durationText } from "./parts/durations.ts";
import { verdictOf } from "./parts/figure.ts";
import type { Measure } from "./parts/figure.ts";
import { namespaces } from "./parts/scene.ts";
import type { InformerPhase, LoopDelay } from "./parts/scene.ts";

const objects = 100_000;
const limitMs = 50;

export const measure: Measure = async ({ forMs, repetitions = Math.max(1, Math.min(5, Math.floor(forMs / 60_000))), note }) => {
  const each = Math.ceil(objects / namespaces.length);
  const server = startChild("server-process.ts", { heapMegabytes: 6144 });
  const operator = startChild("operator-process.ts", { heapMegabytes: 4096 });
  try {
    const port = await server.call<number>("open", { objects: each, bytes: 2500 });
    await operator.call("open", { url: `http://127.0.0.1:${port}`, objects: each });
    const worst = { p99Ms: 0, p999Ms: 0, maxMs: 0, tookMs: 0 };
    const change = (): Promise<number[]> =>
      Promise.all(
        namespaces.map(async (namespace) => {
          const revision = await server.call<number>("write", { namespace, number: 0 });
          return operator.call<number>("reached", { namespace, number: 0, revision });
        }),
      );
    for (let turn = 0; turn < repetitions; turn++) {
      // Watches that have worked for a while: a server that restarts again and again is asked less and less often.
      await change();
      await delay(2000);
      const before = await listsOf(operator);
      await operator.call("startLoopDelay");
      const { readyMs } = await server.call<{ readonly readyMs: number }>("restart", { downMs: 100 });
      const reached = await change();
      const found = await operator.call<LoopDelay>("loopDelay");
      if ((await listsOf(operator)) < before + namespaces.length) throw new Error("the caches did not relist");
      const tookMs = Math.max(...reached) - readyMs;
      note(
        `relist: ${turn + 1} took ${durationText(tookMs)}, loop delay p99 ${found.p99Ms.toFixed(1)} ms, p99.9 ${found.p999Ms.toFixed(1)} ms, max ${found.maxMs.toFixed(1)} ms, ${found.samples} samples`,
      );
      worst.p99Ms = Math.max(worst.p99Ms, found.p99Ms);
      worst.p999Ms = Math.max(worst.p999Ms, found.p999Ms);
      worst.maxMs = Math.max(worst.maxMs, found.maxMs);
      worst.tookMs = Math.max(worst.tookMs, tookMs);
    }
    return [
      {
        row: 14,
        name: "event loop delay while relisting 100,000 objects",
        target: "p99 and p99.9 below 50 ms",
        measured: `p99 ${worst.p99Ms.toFixed(1)} ms, p99.9 ${worst.p999Ms.toFixed(1)} ms, max ${worst.maxMs.toFixed(1)} ms; worst of ${repetitions}, each at most ${durationText(worst.tookMs)}`,
        verdict: verdictOf(worst.p999Ms < limitMs, true),
        command: "npm run soak -- relist",
      },
    ];
  } finally {
    await Promise.all([operator.end(), server.end()]);
  }
};

async function listsOf(operator: ReturnType<typeof startChild>): Promise<number> {
  return (await operator.call<readonly InformerPhase[]>("phases")).reduce((sum, { lists }) => sum + lists, 0);
}
