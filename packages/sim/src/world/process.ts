/**
 * A program in the simulation: its lives one after another, each with an empty memory, a clock and a network of its own.
 *
 *     HarnessApp, World → Process.start → Life, Network, HarnessRun;   crash → a new life after some seconds
 */
import { createTape } from "@drover/controller";
import type { ManagerRuntime, RecordingTape } from "@drover/controller";
import { createMetrics, createRandom, errorText, uidSource } from "@drover/machinery";
import type { Transport } from "@drover/machinery";
import { recordingLog } from "@drover/machinery/testing";
import type { RecordingLog } from "@drover/machinery/testing";
import type { HarnessApp, HarnessPlace, HarnessRun } from "drover/testing";
import type { Decisions } from "../plan/decisions.ts";
import type { Profile } from "../plan/fault.ts";
import { Life } from "./life.ts";
import { lifeClock } from "./life-clock.ts";
import { Network } from "./network.ts";
import type { Timeline } from "./timeline.ts";
import type { Trace } from "./trace.ts";

/** Options of a `Process`. */
export interface ProcessOptions {
  readonly name: string;
  readonly app: HarnessApp;
  readonly seed: string;
  readonly namespace: string;
  readonly timeline: Timeline;
  readonly trace: Trace;
  readonly decide: Decisions["choose"];
  readonly profile: () => Profile;
  /** The server as this process reaches it. */
  readonly server: (life: Life) => Transport;
  readonly onStray: (request: string) => void;
}

/** What one life is made of. */
export interface LivePart {
  readonly life: Life;
  readonly network: Network;
  readonly run: HarnessRun;
  readonly stop: AbortController;
  readonly tape: RecordingTape;
  readonly log: RecordingLog;
}

const restartDelays: readonly number[] = [1000, 50, 15_000];

/** Guarantees: at most one life at a time; a crashed one never acts again, and is followed by another within some seconds. */
export class Process {
  readonly #options: ProcessOptions;
  readonly #ended: { readonly life: Life; readonly error: unknown; readonly atMs: number }[] = [];
  #current: LivePart | undefined;
  #lives = 0;
  #isWanted = false;

  constructor(options: ProcessOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  /** The current life; undefined between a crash and the restart. */
  get current(): LivePart | undefined {
    return this.#current;
  }

  get lives(): number {
    return this.#lives;
  }

  /** Whether a life is missing that will begin by itself. */
  get isDown(): boolean {
    return this.#isWanted && this.#current === undefined;
  }

  /** Lives that ended without being stopped, with their errors. */
  get failures(): readonly { readonly life: Life; readonly error: unknown; readonly atMs: number }[] {
    return this.#ended;
  }

  /** Starts the first life. */
  async start(): Promise<void> {
    this.#isWanted = true;
    const life = this.#newLife();
    await this.#options.timeline.within(life, () => this.#begin(life));
  }

  /** Ends the current life at once and starts another one later, as kubelet does. */
  readonly crash = (why: string): void => {
    const current = this.#current;
    if (current === undefined) return;
    const { timeline, trace, decide, profile } = this.#options;
    trace.note(current.life, why);
    current.life.isDead = true;
    this.#current = undefined;
    const { unrest } = profile();
    const choice = decide(`${current.life.name} restarts`, [unrest, unrest * 0.3]);
    timeline.after(restartDelays[choice] ?? 1000, undefined, () => {
      if (this.#isWanted && this.#current === undefined) this.#begin(this.#newLife());
    });
  };

  /** Stops the current life gracefully, as on SIGTERM; another one follows. */
  stop(): void {
    const current = this.#current;
    if (current === undefined) return;
    this.#options.trace.note(current.life, "is stopped");
    current.stop.abort(new DOMException("SIGTERM", "AbortError"));
  }

  /** Ends everything for good. */
  end(): void {
    this.#isWanted = false;
    if (this.#current !== undefined) this.#current.life.isDead = true;
    this.#current = undefined;
  }

  #newLife(): Life {
    return new Life(this.#options.name, ++this.#lives);
  }

  #begin(life: Life): void {
    const { app, seed, namespace, timeline, trace, decide, profile, server, onStray } = this.#options;
    const clock = lifeClock(timeline, life);
    const random = createRandom(`${seed} ${life.name}`);
    const log = recordingLog(clock);
    const runtime: ManagerRuntime = { clock, random, uid: uidSource(random.stream("uid")), log, metrics: createMetrics() };
    const tape = createTape({ clock, log });
    const network = new Network({
      life,
      timeline,
      server: server(life),
      decide,
      profile,
      trace,
      crash: () => this.crash("dies"),
      onStray,
    });
    const place: HarnessPlace = {
      runtime,
      transport: network.transport,
      namespace,
      tape,
      permissions: "off",
      install: true,
      webhooks: false,
    };
    trace.note(life, "starts");
    const run = typeof app === "function" ? app(place) : app.runOn(place);
    const stop = new AbortController();
    this.#current = { life, network, run, stop, tape, log };
    run.run(stop.signal).then(
      () => this.#over(life, stop.signal.aborted ? undefined : new Error("its run resolved although nothing stopped it")),
      (error: unknown) => this.#over(life, stop.signal.aborted ? undefined : error),
    );
  }

  /** @param error - undefined if it was stopped */
  #over(life: Life, error: unknown): void {
    if (life.isDead || this.#current?.life !== life) return;
    if (error === undefined) return this.crash("has stopped");
    this.#ended.push({ life, error, atMs: this.#options.timeline.elapsedMs });
    this.crash(`ends by itself: ${errorText(error)}`);
  }
}
