/**
 * One random history of a leader election, from a seed: several replicas with wrong clocks on a faulty network, stopped, suspended, killed
 * and restarted, while their work keeps writing through the fence. Then all faults end, the leader is killed, and the next one stops
 * cleanly.
 *
 *     failoverHistory(seed) → who wrote what, and how long there was no leader
 */
import { createRandom, isOutcomeUnknown, pick, sleep } from "@drover/machinery";
import type { Clock, HttpRequest, HttpResponse, Random, Transport } from "@drover/machinery";
import { isFenced, isFencedError } from "../fenced-error.ts";
import { LeaderElector } from "../leader-elector.ts";
import { holderOf } from "../lease-record.ts";
import { FaultyFleet } from "./faulty-fleet.ts";
import type { FleetMachine } from "./faulty-fleet.ts";
import { LeaseServer } from "./lease-server.ts";

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
  readonly machine: FleetMachine;
  readonly elector: LeaderElector;
  readonly stop: AbortController;
}

const dataPath = "/api/v1/namespaces/shop/configmaps/data";
const faultLengths: readonly number[] = [500, 3000, 9000, 12_000, 16_000, 25_000];
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
  readonly #fleet: FaultyFleet;
  readonly #server = new LeaseServer();
  readonly #counts = { terms: 0, stops: 0, sent: 0, fenced: 0, unknown: 0, releases: 0 };
  readonly #replicas: Replica[];
  /** Reading a fence lets it notice its expiry; half of the histories do not read it. */
  readonly #isWatched: boolean;
  #isClosing = false;

  constructor(random: Random, size: number, { chaosMs = 45_000, pauseMaxMs }: FailoverOptions) {
    this.#random = random;
    this.#chaosMs = chaosMs;
    this.#pauseLengths = pauseMaxMs === undefined ? faultLengths : [...faultLengths, pauseMaxMs];
    this.#fleet = new FaultyFleet({
      random,
      handle: (request, identity) => this.#handle(request, identity),
      onSent: (request, identity) => this.#onSent(request, identity),
    });
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
    this.#fleet.heal();
    const recoveryMs = await this.#untilLed(60_000, "after all trouble was over");
    await this.#advance(5000);
    this.#fleet.kill(this.#leader()?.machine);
    const failoverMs = await this.#untilLed(30_000, "after the leader was killed");
    await this.#advance(5000);
    const leaver = this.#leader();
    leaver?.stop.abort();
    const handoverMs = await this.#untilLed(30_000, "after the leader had left", leaver);
    this.#isClosing = true;
    for (const replica of this.#replicas) replica.stop.abort();
    await this.#advance(20_000);
    if (holderOf(this.#server.lease) !== "")
      this.#fleet.violations.push(`at the end, ${holderOf(this.#server.lease)} had not given the lease back`);
    const { violations, counts } = this.#fleet;
    return { violations, counts: { ...counts, ...this.#counts }, recoveryMs, failoverMs, handoverMs };
  }

  #start(): Replica {
    const machine = this.#fleet.join();
    const { identity, random, clock, runtime, client, data } = machine;
    const elector: LeaderElector = new LeaderElector({
      runtime,
      client,
      identity,
      lease: { namespace: "shop", name: "web" },
      onStartedLeading: (signal) => this.#work(clock, elector.fence.wrapper(data), random.stream(`work ${this.#counts.terms++}`), signal),
      onStoppedLeading: () => void this.#counts.stops++,
      drainMs: 10_000,
    });
    const stop = new AbortController();
    this.#fleet.run(machine, elector.run(stop.signal));
    return { machine, elector, stop };
  }

  /** Writes until it is stopped, and continues for a while; sometimes for long, if the lease is lost. */
  async #work(clock: Clock, fenced: Transport, random: Random, signal: AbortSignal): Promise<void> {
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
    if (holder !== identity) this.#fleet.violate(`${identity} ${what} while ${holder === "" ? "nobody" : holder} held the lease`);
  }

  #oneFence(): void {
    const open = this.#replicas.filter(({ machine, elector }) => machine.isAlive && elector.fence.isOpen);
    if (open.length > 1) this.#fleet.violate(`${open.map(({ machine }) => machine.identity).join(" and ")} had open fences`);
  }

  async #advance(byMs: number): Promise<void> {
    for (let leftMs = byMs; leftMs > 0; leftMs -= 1000) {
      await this.#fleet.truth.advance(Math.min(1000, leftMs));
      if (this.#isWatched) this.#oneFence();
    }
  }

  /** Starts or ends one fault. */
  #trouble({ machine, stop }: Replica): void {
    const isPause = this.#random.int(4) === 0;
    const forMs = pick(this.#random, isPause ? this.#pauseLengths : faultLengths);
    if (isPause) return this.#fleet.pause(machine, forMs);
    switch (2 + this.#random.int(6)) {
      case 2:
        return this.#fleet.disturb(machine, "cut", forMs);
      case 3:
        return this.#fleet.disturb(machine, "lose", forMs);
      case 4:
        return this.#fleet.disturb(machine, "slow", forMs);
      case 5:
        if (this.#random.int(2) === 0) this.#fleet.kill(machine);
        else stop.abort();
        return void this.#fleet.truth.timer(forMs, () => this.#restartTheDead());
      case 6:
        return this.#fleet.setWall(machine);
      default:
        return;
    }
  }

  #restartTheDead(except?: Replica): void {
    if (this.#isClosing) return;
    this.#replicas.forEach((replica, index) => {
      if (!replica.machine.isAlive && replica !== except) this.#replicas[index] = this.#start();
    });
  }

  #leader(): Replica | undefined {
    return this.#replicas.find(({ machine, elector }) => machine.isAlive && elector.isLeader);
  }

  /** Returns the time until a replica leads, other than `except`. */
  #untilLed(limitMs: number, when: string, except?: Replica): Promise<number> {
    const isLed = (): boolean => {
      const leader = this.#leader();
      return leader !== undefined && leader !== except;
    };
    return this.#fleet.until(
      limitMs,
      () => `nobody led ${limitMs} ms ${when}`,
      isLed,
      (ms) => {
        this.#restartTheDead(except);
        return this.#advance(ms);
      },
    );
  }
}
