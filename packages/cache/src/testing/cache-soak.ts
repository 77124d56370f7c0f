/**
 * A long random run against a scripted API that cuts, delays, repeats, compacts, restarts and lags. At the end the store, the handlers and
 * the server must agree. The seed determines the whole run.
 *
 *     npm run soak -- cache --seed 7 --events 1000000
 */
import { sleep } from "@drover/machinery";
import type { Random } from "@drover/machinery";
import { HandlerLedger } from "./handler-ledger.ts";
import { informerRig } from "./informer-rig.ts";
import type { InformerRig } from "./informer-rig.ts";
import type { ScriptedChances } from "./scripted-chances.ts";

/** Options of `soakCache`. */
export interface SoakOptions {
  readonly seed: number;
  /** Number of writes. */
  readonly events: number;
  /** Number of different object names. @default 300 */
  readonly names?: number;
}

/** Result of `soakCache`. */
export interface SoakReport {
  readonly seed: number;
  readonly events: number;
  /** Number of opened watches. */
  readonly watches: number;
  /** Number of started lists. */
  readonly lists: number;
  /** Number of events dropped because they were old. */
  readonly refused: number;
  /** Number of scripted, not random, faults. */
  readonly compactions: number;
  readonly restarts: number;
  /** Virtual time from the first write to the last fault. */
  readonly virtualMs: number;
  /** Virtual time from the last fault to agreement; undefined if they never agreed. */
  readonly convergedMs: number | undefined;
  /** Differences between cache and server at the end, and violations: the cache moved back, two watches at once. Empty means success. */
  readonly differences: readonly string[];
}

const tickMs = 1000;
/** Enough to detect a half-open stream (125 s) and for the longest backoff after it (60 s), twice. */
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

/** Runs an informer with a fast and a slow handler. Half of the seeds use a server without watch-list. */
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
  const virtualMs = rig.clock.monotonic();
  const differing = (): string[] => [
    ...rig.differences(),
    ...slow.mistakes,
    ...(slow.contents().join() === rig.ledger.contents().join() ? [] : ["the slow handler has a different state"]),
  ];
  const convergedMs = await converge(rig, () => differing().length === 0);
  const { watches, lists, refused } = rig.informer.state().reflector;
  const differences = [...differing(), ...(rig.api.openMax > 1 ? [`${rig.api.openMax} watches at once`] : [])];
  await rig.stop();
  if (rig.clock.pending.length > 0) differences.push(`${rig.clock.pending.length} timers left behind`);
  return { seed, events, watches, lists, refused, ...counts, virtualMs, convergedMs, differences };
}

/** Every fiftieth change takes up to a second, so that pending changes are merged. */
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
    // Delete and re-create under the same name, with another uid.
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
