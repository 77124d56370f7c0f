/**
 * Row 7: recovery after a restart of the API server.
 *
 *     npm run soak -- restarts --repetitions 200
 *
 * The server drops all connections and its history, refuses connections for 0.2 to 5 s, and listens again. The time counts from then until
 * a change that is committed at that moment has been reconciled in each of three namespaces, which takes a relist of each. Meanwhile 20
 * objects change per second, so that there is a steady rate of requests to compare with.
 */
import { setTimeout as delay } from "node:timers/promises";
import { createRandom } from "@drover/machinery";
import { startChild } from "./parts/child.ts";
import type { Child } from "./parts/child.ts";
import { countText } from "./parts/durations.ts";
import { verdictOf } from "./parts/figure.ts";
import type { Figure, Measure } from "./parts/figure.ts";
import { namespaces, requestEvery } from "./parts/scene.ts";
import type { RequestReport } from "./parts/scene.ts";
import { percentile } from "./parts/statistics.ts";

interface Size {
  readonly objects: number;
  readonly repetitions: number;
  readonly limitMs: number;
}

interface Recovery {
  readonly times: readonly number[];
  readonly steadyPerSecond: number;
  readonly peakPerSecond: number;
  readonly lists: number;
}

const wholeRepetitions = 200;
const requestsPerSecond = 20;

export const measure: Measure = async ({ forMs, seed, repetitions, note }) => {
  const few = Math.max(3, Math.min(20, Math.floor(forMs / 15_000)));
  const sizes: readonly Size[] = [
    { objects: 10_000, repetitions: repetitions ?? few, limitMs: 2000 },
    { objects: 100_000, repetitions: Math.max(1, Math.floor((repetitions ?? few) / 4)), limitMs: 8000 },
  ];
  const figures: Figure[] = [];
  for (const size of sizes) {
    note(`restarts: ${size.repetitions} with ${countText(size.objects)} objects`);
    const recovery = await recover(size, seed, note);
    figures.push(...figuresOf(size, recovery, repetitions));
  }
  return figures;
};

async function recover({ objects, repetitions }: Size, seed: number, note: (line: string) => void): Promise<Recovery> {
  const random = createRandom(seed);
  const each = Math.ceil(objects / namespaces.length);
  const server = startChild("server-process.ts", { heapMegabytes: 6144 });
  let operator: Child | undefined;
  try {
    const port = await server.call<number>("open", { objects: each, bytes: 1000 });
    // A new one for each restart: the backoff of a cache remembers trouble until a stream has lasted two minutes.
    const begin = async (): Promise<Child> => {
      await operator?.end();
      operator = startChild("operator-process.ts", { heapMegabytes: 4096 });
      await operator.call("open", { url: `http://127.0.0.1:${port}`, objects: each });
      return operator;
    };
    let current = await begin();
    const load = server.call("load", { eventsPerSecond: requestsPerSecond * requestEvery, forMs: 3_600_000, seed });
    await delay(2000);
    await server.call<RequestReport>("requests");
    await delay(4000);
    const steadyPerSecond = (await server.call<RequestReport>("requests")).peakPerSecond;
    const times: number[] = [];
    let [peakPerSecond, lists] = [0, 0];
    for (let turn = 0; turn < repetitions; turn++) {
      if (turn > 0) current = await begin();
      await delay(1500);
      await server.call<RequestReport>("requests");
      const { readyMs } = await server.call<{ readonly readyMs: number }>("restart", { downMs: 200 + random.int(4800) });
      const reached = await Promise.all(
        namespaces.map(async (namespace) => {
          const revision = await server.call<number>("write", { namespace, number: 0 });
          return current.call<number>("reached", { namespace, number: 0, revision });
        }),
      );
      times.push(Math.max(...reached) - readyMs);
      await delay(1000);
      const requests = await server.call<RequestReport>("requests");
      peakPerSecond = Math.max(peakPerSecond, requests.peakPerSecond);
      lists += requests.lists;
      note(
        `restarts: ${turn + 1} recovered in ${times.at(-1)?.toFixed(0)} ms, at most ${requests.peakPerSecond} requests/s, ${requests.lists} lists`,
      );
    }
    await server.call("stopLoad");
    await load;
    return { times, steadyPerSecond, peakPerSecond, lists };
  } finally {
    await Promise.all([operator?.end(), server.end()]);
  }
}

function figuresOf({ objects, repetitions, limitMs }: Size, recovery: Recovery, asked: number | undefined): readonly Figure[] {
  const { times, steadyPerSecond, peakPerSecond, lists } = recovery;
  const p99 = percentile(times, 0.99);
  const command = `npm run soak -- restarts${asked === undefined ? "" : ` --repetitions ${asked}`}`;
  const isWhole = repetitions >= wholeRepetitions;
  return [
    {
      row: 7,
      name: `recovery after a restart, ${countText(objects)} objects`,
      target: `p99 below ${limitMs / 1000} s, 200 restarts`,
      measured: `p50 ${(percentile(times, 0.5) / 1000).toFixed(2)} s, p99 ${(p99 / 1000).toFixed(2)} s, ${repetitions} restarts of 0.2 to 5 s`,
      verdict: verdictOf(p99 < limitMs, isWhole),
      command,
    },
    {
      row: 7,
      name: `requests while recovering, ${countText(objects)} objects`,
      target: "at most 5 × the steady rate",
      measured: `at most ${peakPerSecond} in a second, ${(peakPerSecond / steadyPerSecond).toFixed(1)} × the steady ${steadyPerSecond}; ${(lists / repetitions).toFixed(1)} lists per restart of 3 informers`,
      verdict: verdictOf(peakPerSecond <= 5 * steadyPerSecond, isWhole),
      command,
    },
  ];
}
