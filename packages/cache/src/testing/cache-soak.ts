/**
 * A long random run against a scripted API that cuts, delays, repeats, compacts, restarts and lags; at the end the store,
 * what handlers were told and the server must be equal. Everything follows from the seed.
 *
 *     npm run soak -- cache --seed 7 --events 1000000
 */
import { sleep } from "@drover/machinery";
import type { Random } from "@drover/machinery";
import { HandlerLedger } from "./handler-ledger.ts";
import { informerRig } from "./informer-rig.ts";
import type { InformerRig } from "./informer-rig.ts";
import type { ScriptedChances } from "./scripted-chances.ts";

export interface SoakOptions {
  readonly seed: number;
  /** How many writes the server sees. */
  readonly events: number;
  /** How many names there are to write to. @default 300 */
  readonly names?: number;
}

export interface SoakReport {
  readonly seed: number;
  readonly events: number;
  /** Watches opened. */
  readonly watches: number;
  /** Whole states fetched, or begun to be fetched. */
  readonly lists: number;
  /** Lines that came and were not taken because they were old. */
  readonly refused: number;
  /** Faults that were not left to chance. */
  readonly compactions: number;
  readonly restarts: number;
  /** Virtual time from the last fault to equality; undefined when there was none. */
  readonly convergedMs: number | undefined;
  /** Where cache and server differ at the end, and what must never happen: the cache moved back, two watches at once. Empty is good. */
  readonly differences: readonly string[];
}

const tickMs = 1000;
/** Long enough for a half-open stream to be noticed (180 s) and the longest backoff after it (60 s), twice. */
const patienceMs = 10 * 60_000;

const chances: ScriptedChances = {
  cut: 0.002,
  duplicate: 0.005,
  delay: 0.001,
  halfOpen: 0.0003,
  junk: 0.0005,
  close: 0.002,
  replay: 0.3,
  refuse: 0.05,
  status: 0.1,
  cutList: 0.05,
};

/** One run: an informer, a handler that returns at once and one that takes its time. Half of the seeds have a server without watch-list. */
export async function soakCache({ seed, events, names = 300 }: SoakOptions): Promise<SoakReport> {
  const rig = informerRig({
    seed,
    api: { watchList: seed % 2 === 0, commitsMax: 2000 },
    informer: () => ({ reflector: { pageSize: 50 } }),
  });
  const random = rig.runtime.random.stream("soak");
  const slow = slowLedger(rig, rig.runtime.random.stream("slow"));
  const counts = { compactions: 0, restarts: 0 };
  let written = 0;
  rig.api.chances = chances;
  while (written < events) {
    const burst = Math.min(random.int(16), events - written);
    for (let index = 0; index < burst; index++) write(rig, random, names);
    written += burst;
    misfortune(rig, random, counts);
    await rig.clock.advance(tickMs);
  }
  rig.api.repair();
  const differing = (): string[] => [
    ...rig.differences(),
    ...slow.mistakes,
    ...(slow.contents().join() === rig.ledger.contents().join() ? [] : ["the slow handler was told something else"]),
  ];
  const convergedMs = await converge(rig, () => differing().length === 0);
  const { watches, lists, refused } = rig.informer.state().reflector;
  const differences = [...differing(), ...(rig.api.openMax > 1 ? [`${rig.api.openMax} watches at once`] : [])];
  await rig.stop();
  if (rig.clock.pending.length > 0) differences.push(`${rig.clock.pending.length} timers left behind`);
  return { seed, events, watches, lists, refused, ...counts, convergedMs, differences };
}

/** Every fiftieth change takes it up to a second, so that changes merge while they wait. */
function slowLedger({ informer, clock }: InformerRig, random: Random): HandlerLedger {
  const ledger = new HandlerLedger();
  informer.addHandler(
    async (change) => {
      if (random.int(50) === 0) await sleep(clock, random.int(1000));
      ledger.handle(change);
    },
    { name: "slow" },
  );
  return ledger;
}

function write({ api }: InformerRig, random: Random, names: number): void {
  const name = `n${random.int(names)}`;
  const namespace = `ns${random.int(3)}`;
  const object = {
    metadata: { namespace, name, labels: { turn: String(random.int(3)) } },
    data: { text: "ü€😀".slice(0, 2 * random.int(3)) },
  };
  const roll = random.next();
  if (roll < 0.15) api.remove(`${namespace}/${name}`);
  else if (roll < 0.2) {
    // Gone and back under the same name, with another uid.
    api.remove(`${namespace}/${name}`);
    api.put(object);
  } else if (roll < 0.23) api.skip(1 + random.int(5));
  else api.put(object);
}

function misfortune({ api }: InformerRig, random: Random, counts: { compactions: number; restarts: number }): void {
  const roll = random.next();
  if (roll < 0.005) {
    api.compact();
    counts.compactions++;
  } else if (roll < 0.007) {
    api.restart();
    counts.restarts++;
  } else if (roll < 0.012) api.lagBy(1 + random.int(50));
  else if (roll < 0.1) api.lagBy(0);
}

async function converge(rig: InformerRig, isEqual: () => boolean): Promise<number | undefined> {
  for (let waitedMs = 0; waitedMs <= patienceMs; waitedMs += 1000) {
    if (isEqual()) return waitedMs;
    await rig.clock.advance(1000);
  }
  return undefined;
}
