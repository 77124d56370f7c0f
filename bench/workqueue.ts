/**
 * `npm run bench -- workqueue [rounds]`: our queues and client-go's, the same work in the same run.
 *
 * Rounds are short and alternate between the two; a ratio is the median of the ratios within each round, because the
 * machine's speed varies and other programs interrupt. "queue" is `createQueue` with all its features; "classic" is
 * `newQueue` and its layers, which do what client-go's do. Exits with 1 when a bound does not hold.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createQueue, itemExponentialFailureRateLimiter } from "@drover/workqueue";
import { newQueue, newRateLimitingQueue } from "@drover/client-go";
import { nodeRuntime } from "drover";
import { startClientGo } from "./workqueue/client-go.ts";
import type { Measured } from "./workqueue/client-go.ts";

interface Case {
  readonly name: string;
  /** The task for the Go program. */
  readonly against: string;
  readonly count: number;
  readonly run: (count: number) => Promise<Measured> | Measured;
  /** Minimum ratio of our operations per second to theirs. */
  readonly bound?: number;
}

const rounds = Number(process.argv[3] ?? 200);
const warmUpRounds = 50;
const { clock, metrics } = nodeRuntime();
const keyCount = 1000;
const keys = Array.from({ length: keyCount }, (_, index) => `namespace-${index % 10}/object-${index}`);
const keyAt = (index: number): string => keys[index % keyCount] ?? "";
const hour = 3_600_000;

const cases: readonly Case[] = [
  { name: "add, get, done: queue", against: "cycle", count: 20_000, run: (count) => cycleOf(createQueue({ clock }), count), bound: 0.5 },
  {
    name: "add, get, done: queue with metrics",
    against: "cycle",
    count: 20_000,
    run: (count) => cycleOf(createQueue({ clock, metrics, name: "bench" }), count),
  },
  {
    name: "add, get, done: queue with tenants",
    against: "cycle",
    count: 20_000,
    run: (count) => cycleOf(createQueue({ clock, tenantOf: (key) => key.slice(0, 11) }), count),
  },
  { name: "add, get, done: classic", against: "cycle", count: 20_000, run: classicCycle, bound: 0.5 },
  {
    name: "add of what is queued: queue",
    against: "duplicates",
    count: 20_000,
    run: (count) => duplicatesOf(createQueue({ clock }), count),
  },
  {
    name: "add of what is queued: classic",
    against: "duplicates",
    count: 20_000,
    run: (count) => duplicatesOf(newQueue({ clock }), count),
  },
  { name: "producer and consumer: queue", against: "channel", count: 20_000, run: producerAndConsumer, bound: 0.25 },
  {
    name: "addRateLimited, forget: queue",
    against: "retry",
    count: 20_000,
    run: (count) => retryOf(createQueue({ clock, rateLimiter: itemExponentialFailureRateLimiter(hour, 2 * hour) }), count),
    bound: 0.5,
  },
  {
    name: "addRateLimited, forget: classic",
    against: "retry",
    count: 20_000,
    run: (count) => retryOf(newRateLimitingQueue(itemExponentialFailureRateLimiter<string>(hour, 2 * hour), { clock }), count),
  },
];

const clientGo = startClientGo();
if (typeof clientGo === "string") process.stdout.write(`${clientGo}\n`);
const theirs = async (command: string): Promise<Measured | undefined> =>
  typeof clientGo === "string" ? undefined : await clientGo.measure(command);
let failed = 0;
const line = (name: string, text: string, holds: boolean | undefined, bound: string): void => {
  if (holds === false) failed++;
  process.stdout.write(`${name.padEnd(38)}${text}${holds === undefined ? "" : `   ${holds ? "holds" : "MISSED"}: ${bound}`}\n`);
};

process.stdout.write(`${rounds} rounds${typeof clientGo === "string" ? "" : "; client-go v0.36.3"}\n`);
for (const each of cases) await compare(each);
await compareDelays();
measureMemory();
if (typeof clientGo !== "string") clientGo.stop();
process.exitCode = failed === 0 ? 0 : 1;

async function compare({ name, against, count, run, bound }: Case): Promise<void> {
  const own: number[] = [];
  const ratios: number[] = [];
  for (let round = -warmUpRounds; round < rounds; round++) {
    const first = round % 2 === 0 ? await theirs(`${against} ${count}`) : undefined;
    const { seconds } = await run(count);
    const other = first ?? (await theirs(`${against} ${count}`));
    if (round < 0) continue;
    own.push(count / seconds);
    if (other !== undefined) ratios.push(other.seconds / seconds);
  }
  const ratio = ratios.length === 0 ? undefined : median(ratios);
  const text = `${(median(own) / 1e6).toFixed(2).padStart(7)} M/s${ratio === undefined ? "" : `   ${ratio.toFixed(2)} × client-go`}`;
  line(name, text, ratio === undefined || bound === undefined ? undefined : ratio >= bound, `at least ${bound} ×`);
}

/** 100,000 keys with random delays up to a second, on the real clock. */
async function compareDelays(): Promise<void> {
  const count = 100_000;
  const print = ({ seconds, p50 = NaN, p99 = NaN, max = NaN }: Measured): string =>
    `${(seconds * 1000).toFixed(0).padStart(4)} ms to add, late by ${p50.toFixed(2)} ms p50, ${p99.toFixed(2)} ms p99, ${max.toFixed(2)} ms max`;
  const ours = await best(() => delays(count));
  const other = await best(() => theirs(`delay ${count}`));
  const bound = Math.max(10, 2 * (other?.p99 ?? 0));
  line(
    "100,000 addAfter: queue",
    ours === undefined ? "" : print(ours),
    other === undefined ? undefined : (ours?.p99 ?? Infinity) <= bound,
    `p99 at most ${bound.toFixed(0)} ms (10 ms, or twice client-go's)`,
  );
  if (other !== undefined) line("100,000 addAfter: client-go", print(other), undefined, "");
}

/** Lateness depends as much on the machine as on the queue, so the best of five runs counts, on both sides. */
async function best(run: () => Promise<Measured | undefined>): Promise<Measured | undefined> {
  const all: (Measured | undefined)[] = [];
  for (let round = 0; round < 5; round++) all.push(await run());
  return all.toSorted((a, b) => (a?.p99 ?? 0) - (b?.p99 ?? 0))[0];
}

/** The memory of a million ready keys besides the keys themselves, and that nothing is left when they are done. */
function measureMemory(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const count = 1_000_000;
  const many = Array.from({ length: count }, (_, index) => `namespace-${index % 100}/object-${index}`);
  const used = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  const queue = createQueue({ clock });
  const start = performance.now();
  for (const key of many) queue.add(key);
  const addNanos = (1e6 * (performance.now() - start)) / count;
  const full = (used() - before) / count;
  for (let work = queue.tryGet(); work !== undefined; work = queue.tryGet()) queue.done(work.key);
  const empty = (used() - before) / count;
  line(
    "a million keys: queue",
    `${full.toFixed(0).padStart(4)} bytes a key while ready, ${empty.toFixed(1)} when done; ${addNanos.toFixed(0)} ns to add one`,
    full < 300 && empty < 8 && many.length === count,
    "below 300, and below 8 when done",
  );
}

function timed(work: () => void): Measured {
  const start = performance.now();
  work();
  return { seconds: (performance.now() - start) / 1000 };
}

function cycleOf(queue: ReturnType<typeof createQueue<string>>, count: number): Measured {
  return timed(() => {
    for (let index = 0; index < count; index++) {
      queue.add(keyAt(index));
      queue.done(queue.tryGet()?.key ?? "");
    }
  });
}

function classicCycle(count: number): Measured {
  const queue = newQueue({ clock });
  return timed(() => {
    for (let index = 0; index < count; index++) {
      queue.add(keyAt(index));
      queue.done(queue.tryGet() ?? "");
    }
  });
}

function duplicatesOf(queue: { add(key: string): void }, count: number): Measured {
  for (const key of keys) queue.add(key);
  return timed(() => {
    for (let index = 0; index < count; index++) queue.add(keyAt(index));
  });
}

function retryOf(queue: { addRateLimited(key: string): void; forget(key: string): void; shutDown(): unknown }, count: number): Measured {
  const measured = timed(() => {
    for (let index = 0; index < count; index++) {
      queue.addRateLimited(keyAt(index));
      queue.forget(keyAt(index));
    }
  });
  queue.shutDown();
  return measured;
}

/** One adds in bursts as a watch delivers them, one waits for keys; both in the same thread. */
async function producerAndConsumer(count: number): Promise<Measured> {
  const queue = createQueue<number>({ clock });
  const start = performance.now();
  const consumer = (async (): Promise<number> => {
    let consumed = 0;
    for (let work = await queue.get(); work !== undefined; work = await queue.get()) {
      consumed++;
      queue.done(work.key);
    }
    return consumed;
  })();
  for (let index = 0; index < count; index++) {
    queue.add(index);
    if (index % 100 === 99) await nextTurn();
  }
  queue.shutDown();
  const consumed = await consumer;
  if (consumed !== count) throw new Error(`${consumed} of ${count} keys were consumed`);
  return { seconds: (performance.now() - start) / 1000 };
}

async function delays(count: number): Promise<Measured> {
  const queue = createQueue<number>({ clock });
  const due = new Float64Array(count);
  const late: number[] = [];
  const consumer = (async (): Promise<void> => {
    while (late.length < count) {
      const work = await queue.get();
      if (work === undefined) return;
      late.push(performance.now() - (due[work.key] ?? 0));
      queue.done(work.key);
    }
  })();
  let seconds = 0;
  for (let start = 0; start < count; start += 500) {
    seconds += timed(() => {
      for (let index = start; index < start + 500; index++) {
        const after = Math.random() * 1000;
        due[index] = performance.now() + after;
        queue.addAfter(index, after);
      }
    }).seconds;
    // No timer fires while a loop runs, in any queue; a program that adds this much yields in between.
    await nextTurn();
  }
  await consumer;
  late.sort((a, b) => a - b);
  const at = (part: number): number => late[Math.min(count - 1, Math.floor(count * part))] ?? NaN;
  return { seconds, p50: at(0.5), p99: at(0.99), max: at(1) };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}
