/**
 * A simulated cluster: one API server, the processes that talk to it, and virtual time. Everything that happens follows from a seed.
 */
import type { ApiServer } from "@drover/apiserver";
import type { HarnessApp } from "drover/testing";
import type { Decisions, Weights } from "../plan/decisions.ts";
import type { Profile } from "../plan/fault.ts";
import { noFaults } from "../plan/fault.ts";
import { Commits } from "./commits.ts";
import { Garbage } from "./garbage.ts";
import { Process } from "./process.ts";
import { restOf } from "./rest.ts";
import type { SimServer } from "./sim-server.ts";
import { Timeline } from "./timeline.ts";
import { Trace } from "./trace.ts";

/** Options of a `World`. */
export interface WorldOptions {
  readonly server: SimServer;
  readonly seed: string;
  readonly decisions: Decisions;
  readonly profile: Profile;
  readonly namespace: string;
  /** Resolves when all promises that can settle have settled. */
  readonly drained: () => Promise<void>;
}

/** 2026-01-01T00:00:00Z */
const startMs = 1_767_225_600_000;

/** Guarantees: two worlds of the same seed and the same apps do the same. */
export class World {
  readonly timeline: Timeline;
  readonly trace: Trace;
  readonly commits: Commits;
  readonly garbage: Garbage;
  readonly processes: Process[] = [];
  /** Requests that nothing in the simulation caused. */
  readonly strays: string[] = [];
  readonly #options: WorldOptions;
  /** Of processes; nothing is decided any more when it is calm. */
  readonly decide: Decisions["choose"];
  #profile: Profile;
  #isCalm = false;

  private constructor(options: WorldOptions, timeline: Timeline) {
    const { server, profile } = options;
    this.#options = options;
    this.#profile = profile;
    this.timeline = timeline;
    this.decide = (point: string, weights: Weights) => (this.#isCalm ? 0 : options.decisions.choose(point, weights));
    this.trace = new Trace(() => timeline.elapsedMs);
    this.garbage = new Garbage({ timeline, server: (request) => this.commits.serve(undefined, request, server.api.handle) });
    this.commits = new Commits(server.api.store, () => timeline.elapsedMs, this.garbage.onCommit);
  }

  /** Sets the server back to its snapshot and creates a world on it. */
  static async create(options: WorldOptions): Promise<World> {
    const timeline = new Timeline({ nowMs: startMs, drained: options.drained });
    await options.server.reset(timeline, options.seed);
    const world = new World(options, timeline);
    await world.commits.follow();
    return world;
  }

  get profile(): Profile {
    return this.#profile;
  }

  get server(): ApiServer {
    return this.#options.server.api;
  }

  /** Adds a process; it starts with `start`. */
  add(name: string, app: HarnessApp): Process {
    const { seed, namespace, server } = this.#options;
    const process: Process = new Process({
      name,
      app,
      seed,
      namespace,
      timeline: this.timeline,
      trace: this.trace,
      decide: this.decide,
      profile: () => this.#profile,
      server: (life) => (request) => this.commits.serve(life, request, server.api.handle),
      onStray: (request) => void this.strays.push(request),
    });
    this.processes.push(process);
    return process;
  }

  /** Faults stop: from now on requests are answered, and dead processes come back. */
  calm(): void {
    this.#profile = noFaults;
    this.#isCalm = true;
    this.trace.note(undefined, "faults stop");
  }

  /** Returns what is active at present, as sentences; empty at rest. */
  active(): readonly string[] {
    return this.garbage.isBusy ? ["the garbage collector"] : restOf(this.processes, this.timeline).active;
  }

  /** Lets every key that has run in the current lives run once more. */
  async runAllAgain(): Promise<void> {
    for (const { current } of this.processes) {
      if (current === undefined) continue;
      const ran = new Map(current.tape.runs().map(({ controller, key }) => [`${controller} ${key}`, { controller, key }]));
      await this.timeline.within(current.life, () => {
        for (const controller of current.run.controllers)
          for (const each of ran.values())
            if (each.controller === controller.name) controller.enqueue(each.key, { note: "the simulation runs everything a second time" });
      });
    }
  }

  /** Ends everything. */
  close(): void {
    this.commits.stop();
    for (const process of this.processes) process.end();
  }

  /** Advances virtual time. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.timeline.elapsedMs + ms;
    while (await this.timeline.step(untilMs));
    this.timeline.passTo(untilMs);
  }

  /**
   * Runs until every process is at rest, or for `limitMs` of virtual time. Returns what is still active; empty if nothing is.
   */
  async settle(limitMs: number): Promise<readonly string[]> {
    const untilMs = this.timeline.elapsedMs + limitMs;
    for (;;) {
      const active = this.active();
      if (active.length === 0) return [];
      if (!(await this.timeline.step(untilMs))) return active;
    }
  }
}
