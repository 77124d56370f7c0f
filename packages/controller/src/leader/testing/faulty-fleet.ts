/**
 * Machines with wrong clocks on a faulty network, for histories of replicas: each can be paused, suspended, killed, cut off and slowed.
 *
 *     failoverHistory, shardHistory → FaultyFleet.join → FleetMachine: clock, client for leases, transport for data
 */
import { createClient } from "@drover/client";
import type { Client } from "@drover/client";
import { createLog, createMetrics, pick } from "@drover/machinery";
import type { HttpRequest, HttpResponse, Random, Runtime, Transport } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { electionNetwork } from "./election-network.ts";
import type { Weather } from "./election-network.ts";
import { MachineClock } from "./machine-clock.ts";

/** With these rates a holder stops 4.5 s before another may follow; by then its last request has arrived. */
const dataDelayMaxMs = 1500;
const rates: readonly number[] = [0.98, 0.99, 1, 1.01, 1.02];
const clear: Readonly<Weather> = { cut: "none", answersLost: 0, delayMaxMs: 50 };

/** One replica's machine. */
export interface FleetMachine {
  readonly identity: string;
  /** Of this machine alone. */
  readonly random: Random;
  readonly clock: MachineClock;
  readonly runtime: Pick<Runtime, "clock" | "random" | "log" | "metrics">;
  /** For the leases; gets the faults of the network. */
  readonly client: Client;
  /** For the data of the work: slow, without further faults. */
  readonly data: Transport;
  readonly weather: Weather;
  /** False when it was killed, or its program has ended. */
  isAlive: boolean;
}

export interface FaultyFleetOptions {
  readonly random: Random;
  /** Handles a request that arrived. */
  readonly handle: (request: HttpRequest, identity: string) => HttpResponse;
  readonly onSent: (request: HttpRequest, identity: string) => void;
}

/** Guarantees: the same history for the same seed. */
export class FaultyFleet {
  readonly truth: ManualClock = new ManualClock({ quietTurns: 24 });
  readonly violations: string[] = [];
  readonly counts: { pauses: number; jumps: number; kills: number } = { pauses: 0, jumps: 0, kills: 0 };
  readonly #options: FaultyFleetOptions;
  readonly #machines: FleetMachine[] = [];
  /** A wall clock that is set back while its machine sleeps hides the sleep: no history has both. */
  readonly #hasSuspends: boolean;

  constructor(options: FaultyFleetOptions) {
    this.#options = options;
    this.#hasSuspends = options.random.int(2) === 0;
  }

  /** Adds a machine. */
  join(): FleetMachine {
    const { handle, onSent } = this.#options;
    const { truth } = this;
    const number = this.#machines.length;
    const random = this.#options.random.stream(`replica ${number}`);
    const identity = `replica-${number}`;
    const clock = new MachineClock(truth, {
      rate: pick(random, rates),
      monotonicMs: random.int(1_000_000),
      wallAheadMs: random.int(7_200_000) - 3_600_000,
    });
    const weather: Weather = { ...clear };
    const network = (stream: string, seen: Weather): Transport =>
      electionNetwork({
        truth,
        machine: clock,
        random: random.stream(stream),
        weather: seen,
        handle: (request) => handle(request, identity),
        onSent: (request) => onSent(request, identity),
      });
    const log = createLog({ clock, write: () => undefined, level: "error" });
    const machine: FleetMachine = {
      identity,
      random,
      clock,
      runtime: { clock, random: random.stream("jitter"), log, metrics: createMetrics() },
      client: createClient({ transport: network("lease", weather), clock, log, namespace: "shop" }),
      data: network("data", { ...clear, delayMaxMs: dataDelayMaxMs }),
      weather,
      isAlive: true,
    };
    this.#machines.push(machine);
    return machine;
  }

  /** Runs the program of a machine, which must not fail. */
  run(machine: FleetMachine, program: Promise<void>): void {
    void program.then(
      () => (machine.isAlive = false),
      (error: unknown) => this.violations.push(`${machine.identity} failed: ${String(error)}`),
    );
  }

  /** Records a violation with its time. */
  violate(sentence: string): void {
    this.violations.push(`${this.truth.monotonic()} ms: ${sentence}`);
  }

  pause({ clock }: FleetMachine, forMs: number): void {
    if (clock.isPaused) return;
    this.counts.pauses++;
    clock.pause(this.#hasSuspends && this.#options.random.int(2) === 0 ? "suspended" : "stopped");
    this.truth.timer(forMs, () => clock.resume());
  }

  kill(machine: FleetMachine | undefined): void {
    if (machine === undefined) return;
    this.counts.kills++;
    machine.isAlive = false;
    machine.clock.kill();
  }

  /** Cuts the network of a machine, loses responses to it, or slows it down. */
  disturb({ weather }: FleetMachine, what: "cut" | "lose" | "slow", forMs: number): void {
    const { random } = this.#options;
    if (what === "cut") weather.cut = pick(random, ["all", "reads", "writes"] as const);
    if (what === "lose") weather.answersLost = pick(random, [0.3, 0.7, 1]);
    if (what === "slow") weather.delayMaxMs = pick(random, [1000, 4000, 12_000]);
    this.truth.timer(forMs, () => {
      if (what === "cut") weather.cut = clear.cut;
      if (what === "lose") weather.answersLost = clear.answersLost;
      if (what === "slow") weather.delayMaxMs = clear.delayMaxMs;
    });
  }

  /** Sets the wall clock of a machine, unless machines of this history are suspended. */
  setWall({ clock }: FleetMachine): void {
    if (this.#hasSuspends) return;
    this.counts.jumps++;
    clock.setWall(this.#options.random.int(7_200_000) - 3_600_000);
  }

  /** Ends all faults. */
  heal(): void {
    for (const { clock, weather } of this.#machines) {
      clock.resume();
      Object.assign(weather, clear);
    }
  }

  /** Advances until `holds`, in steps of 100 ms, and returns the time that took; a violation after `limitMs`. */
  async until(
    limitMs: number,
    violation: () => string,
    holds: () => boolean,
    advance = (ms: number) => this.truth.advance(ms),
  ): Promise<number> {
    const begunMs = this.truth.monotonic();
    for (;;) {
      const isOver = holds();
      const passedMs = this.truth.monotonic() - begunMs;
      if (isOver) return passedMs;
      if (passedMs > limitMs) {
        this.violate(violation());
        return passedMs;
      }
      await advance(100);
    }
  }
}
