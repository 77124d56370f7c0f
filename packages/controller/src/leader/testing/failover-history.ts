/**
 * One random history of a leader election, from a seed: several replicas with wrong clocks on a faulty network, stopped, suspended, killed
 * and restarted, while their work keeps writing through the fence. Then all faults end, the leader is killed, and the next one stops
 * cleanly.
 *
 *     failoverHistory(seed) → who wrote what, and how long there was no leader
 */
import { createClient } from "@drover/client";
import { createLog, createMetrics, createRandom, isOutcomeUnknown, pick, sleep } from "@drover/machinery";
import type { HttpRequest, HttpResponse, Random, Transport } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { isFenced, isFencedError } from "../fenced-error.ts";
import { LeaderElector } from "../leader-elector.ts";
import { holderOf } from "../lease-record.ts";
import { electionNetwork } from "./election-network.ts";
import type { Weather } from "./election-network.ts";
import { LeaseServer } from "./lease-server.ts";
import { MachineClock } from "./machine-clock.ts";

/** Counts of what happened. */
export interface HistoryCounts {
  readonly terms: number;
  readonly stops: number;
  readonly sent: number;
  readonly fenced: number;
  readonly unknown: number;
  readonly pauses: number;
  /** Of wall clocks. */
  readonly jumps: number;
  readonly kills: number;
  readonly releases: number;
}

export interface FailoverHistory {
  /** Violations, one sentence each. */
  readonly violations: readonly string[];
  readonly counts: HistoryCounts;
  /** Time from the end of all faults to a leader. */
  readonly recoveryMs: number;
  /** Time from the death of a leader to the next one. */
  readonly failoverMs: number;
  /** Time from stopping a leader to the next one. */
  readonly handoverMs: number;
}

interface Replica {
  readonly identity: string;
  readonly machine: MachineClock;
  readonly elector: LeaderElector;
  readonly weather: Weather;
  readonly stop: AbortController;
  isAlive: boolean;
}

const dataPath = "/api/v1/namespaces/shop/configmaps/data";
const faultLengths: readonly number[] = [500, 3000, 9000, 12_000, 16_000, 25_000];
/** With these rates a holder stops 4.5 s before another may follow; by then its last request has arrived. */
const dataDelayMaxMs = 1500;
const rates: readonly number[] = [0.98, 0.99, 1, 1.01, 1.02];
const clear: Readonly<Weather> = { cut: "none", answersLost: 0, delayMaxMs: 50 };

export interface FailoverOptions {
  /** How long there are faults. @default 45 s */
  readonly chaosMs?: number;
  /** Length of the longest pause. @default 25 s, that of other faults */
  readonly pauseMaxMs?: number;
}

/** Plays one history. */
export async function failoverHistory(seed: number, options: FailoverOptions = {}): Promise<FailoverHistory> {
  const election = new Election(createRandom(seed), 2 + (seed % 3), options);
  return election.play();
}

class Election {
  readonly #random: Random;
  readonly #chaosMs: number;
  readonly #pauseLengths: readonly number[];
  readonly #truth = new ManualClock({ quietTurns: 24 });
  readonly #server = new LeaseServer();
  readonly #violations: string[] = [];
  readonly #counts = { terms: 0, stops: 0, sent: 0, fenced: 0, unknown: 0, pauses: 0, jumps: 0, kills: 0, releases: 0 };
  readonly #replicas: Replica[];
  /** A wall clock that is set back while its machine sleeps hides the sleep: no history has both. */
  readonly #hasSuspends: boolean;
  /** Reading a fence lets it notice its expiry; half of the histories do not read it. */
  readonly #isWatched: boolean;
  #started = 0;
  #isClosing = false;

  constructor(random: Random, size: number, { chaosMs = 45_000, pauseMaxMs }: FailoverOptions) {
    this.#random = random;
    this.#chaosMs = chaosMs;
    this.#pauseLengths = pauseMaxMs === undefined ? faultLengths : [...faultLengths, pauseMaxMs];
    this.#hasSuspends = random.int(2) === 0;
    this.#isWatched = random.int(2) === 0;
    this.#replicas = Array.from({ length: size }, () => this.#start());
  }

  async play(): Promise<FailoverHistory> {
    for (let passedMs = 0; passedMs < this.#chaosMs;) {
      const stepMs = 100 + this.#random.int(3000);
      this.#trouble(pick(this.#random, this.#replicas));
      await this.#advance(stepMs);
      passedMs += stepMs;
    }
    this.#heal();
    const recoveryMs = await this.#untilLed(60_000, "after all trouble was over");
    await this.#advance(5000);
    this.#kill(this.#leader());
    const failoverMs = await this.#untilLed(30_000, "after the leader was killed");
    await this.#advance(5000);
    const leaver = this.#leader();
    leaver?.stop.abort();
    const handoverMs = await this.#untilLed(30_000, "after the leader had left", leaver);
    this.#isClosing = true;
    for (const replica of this.#replicas) replica.stop.abort();
    await this.#advance(20_000);
    if (holderOf(this.#server.lease) !== "")
      this.#violations.push(`at the end, ${holderOf(this.#server.lease)} had not given the lease back`);
    return { violations: this.#violations, counts: { ...this.#counts }, recoveryMs, failoverMs, handoverMs };
  }

  #start(): Replica {
    const random = this.#random.stream(`replica ${this.#started}`);
    const identity = `replica-${this.#started++}`;
    const machine = new MachineClock(this.#truth, {
      rate: pick(random, rates),
      monotonicMs: random.int(1_000_000),
      wallAheadMs: random.int(7_200_000) - 3_600_000,
    });
    const weather: Weather = { ...clear };
    const network = (stream: string, seen: Weather): Transport =>
      electionNetwork({
        truth: this.#truth,
        machine,
        random: random.stream(stream),
        weather: seen,
        handle: (request) => this.#handle(request, identity),
        onSent: (request) => this.#onSent(request, identity),
      });
    const data = network("data", { ...clear, delayMaxMs: dataDelayMaxMs });
    const log = createLog({ clock: machine, write: () => undefined, level: "error" });
    const client = createClient({ transport: network("lease", weather), clock: machine, log, namespace: "shop" });
    const elector: LeaderElector = new LeaderElector({
      runtime: { clock: machine, random: random.stream("jitter"), log, metrics: createMetrics() },
      client,
      identity,
      lease: { namespace: "shop", name: "web" },
      onStartedLeading: (signal) => this.#work(machine, elector.fence.wrapper(data), random.stream(`work ${this.#counts.terms++}`), signal),
      onStoppedLeading: () => void this.#counts.stops++,
      drainMs: 10_000,
    });
    const replica: Replica = { identity, machine, elector, weather, stop: new AbortController(), isAlive: true };
    void elector.run(replica.stop.signal).then(
      () => (replica.isAlive = false),
      (error: unknown) => this.#violations.push(`${identity} failed: ${String(error)}`),
    );
    return replica;
  }

  /** Writes until it is stopped, and continues for a while; sometimes for long, if the lease is lost. */
  async #work(clock: MachineClock, fenced: Transport, random: Random, signal: AbortSignal): Promise<void> {
    const write = (): void => {
      void fenced({ method: "PATCH", path: dataPath, headers: {}, body: "" }).then(
        () => undefined,
        (error: unknown) => {
          if (isOutcomeUnknown(error)) this.#counts.unknown++;
          else if (isFenced(error)) this.#counts.fenced++;
        },
      );
    };
    while (!signal.aborted) {
      write();
      await sleep(clock, 500 + random.int(1500), { signal }).catch(() => undefined);
    }
    for (let left = pick(random, isFencedError(signal.reason) ? [0, 3, 20] : [0, 3]); left > 0; left--) {
      write();
      await sleep(clock, random.int(1000));
    }
  }

  #onSent({ path }: HttpRequest, identity: string): void {
    if (path !== dataPath) return;
    this.#counts.sent++;
    this.#mustHold(identity, "sent a write");
    if (this.#isWatched) this.#oneFence();
  }

  #handle(request: HttpRequest, identity: string): HttpResponse {
    if (request.path === dataPath) this.#mustHold(identity, "had a write arrive");
    const before = holderOf(this.#server.lease);
    const response = this.#server.handle(request);
    if (before !== "" && holderOf(this.#server.lease) === "") this.#counts.releases++;
    return response;
  }

  #mustHold(identity: string, what: string): void {
    const holder = holderOf(this.#server.lease);
    if (holder !== identity)
      this.#violations.push(`${this.#truth.monotonic()} ms: ${identity} ${what} while ${holder === "" ? "nobody" : holder} held the lease`);
  }

  #oneFence(): void {
    const open = this.#replicas.filter(({ isAlive, elector }) => isAlive && elector.fence.isOpen).map(({ identity }) => identity);
    if (open.length > 1) this.#violations.push(`${this.#truth.monotonic()} ms: ${open.join(" and ")} had open fences`);
  }

  async #advance(byMs: number): Promise<void> {
    for (let leftMs = byMs; leftMs > 0; leftMs -= 1000) {
      await this.#truth.advance(Math.min(1000, leftMs));
      if (this.#isWatched) this.#oneFence();
    }
  }

  /** Starts or ends one fault. */
  #trouble(replica: Replica): void {
    const { machine, weather } = replica;
    const isPause = this.#random.int(4) === 0;
    const forMs = pick(this.#random, isPause ? this.#pauseLengths : faultLengths);
    if (isPause) return this.#pause(replica, forMs);
    switch (2 + this.#random.int(6)) {
      case 2:
        weather.cut = pick(this.#random, ["all", "reads", "writes"] as const);
        return void this.#truth.timer(forMs, () => (weather.cut = "none"));
      case 3:
        weather.answersLost = pick(this.#random, [0.3, 0.7, 1]);
        return void this.#truth.timer(forMs, () => (weather.answersLost = 0));
      case 4:
        weather.delayMaxMs = pick(this.#random, [1000, 4000, 12_000]);
        return void this.#truth.timer(forMs, () => (weather.delayMaxMs = clear.delayMaxMs));
      case 5:
        if (this.#random.int(2) === 0) this.#kill(replica);
        else replica.stop.abort();
        return void this.#truth.timer(forMs, () => this.#restartTheDead());
      case 6:
        if (this.#hasSuspends) return;
        this.#counts.jumps++;
        return machine.setWall(this.#random.int(7_200_000) - 3_600_000);
      default:
        return;
    }
  }

  #pause({ machine }: Replica, forMs: number): void {
    if (machine.isPaused) return;
    this.#counts.pauses++;
    machine.pause(this.#hasSuspends && this.#random.int(2) === 0 ? "suspended" : "stopped");
    this.#truth.timer(forMs, () => machine.resume());
  }

  #kill(replica: Replica | undefined): void {
    if (replica === undefined) return;
    this.#counts.kills++;
    replica.isAlive = false;
    replica.machine.kill();
  }

  #restartTheDead(except?: Replica): void {
    if (this.#isClosing) return;
    this.#replicas.forEach((replica, index) => {
      if (!replica.isAlive && replica !== except) this.#replicas[index] = this.#start();
    });
  }

  #heal(): void {
    for (const { machine, weather } of this.#replicas) {
      machine.resume();
      Object.assign(weather, clear);
    }
  }

  #leader(): Replica | undefined {
    return this.#replicas.find(({ isAlive, elector }) => isAlive && elector.isLeader);
  }

  /** Returns the time until a replica leads, other than `except`. */
  async #untilLed(limitMs: number, when: string, except?: Replica): Promise<number> {
    const begunMs = this.#truth.monotonic();
    for (;;) {
      const leader = this.#leader();
      const passedMs = this.#truth.monotonic() - begunMs;
      if (leader !== undefined && leader !== except) return passedMs;
      if (passedMs > limitMs) {
        this.#violations.push(`nobody led ${limitMs} ms ${when}`);
        return passedMs;
      }
      this.#restartTheDead(except);
      await this.#advance(100);
    }
  }
}
