/**
 * One life of the operator: from its start with an empty memory to its end, be that orderly or not.
 *
 *     HarnessApp, HarnessPlace → OperatorLife: what it does, what it knows, how it ends
 */
import type { Cause, RecordingTape, RunStart, RunTape } from "@drover/controller";
import type { Clock, Kind, ObjectKey } from "@drover/machinery";
import type { KeyReport } from "@drover/workqueue";
import { runApp } from "./harness-app.ts";
import type { HarnessApp, HarnessPlace, HarnessRun } from "./harness-app.ts";
import type { Traffic } from "./traffic.ts";
import type { LifeView } from "./unrest.ts";

export interface OperatorLifeOptions {
  readonly app: HarnessApp;
  readonly place: Omit<HarnessPlace, "transport">;
  readonly traffic: Traffic;
  /** How often a key may run without anything from outside. */
  readonly runsMax: number;
}

/** A key that runs again and again. */
export interface Spin {
  readonly controller: string;
  readonly key: ObjectKey;
  readonly runs: number;
}

/** Runs without a single turn of the event loop, which no operator that talks to a server can have. */
const runsPerTurnMax = 10_000;

/** Guarantees: an operator that never comes to rest is stopped, so that the test goes on; after `kill` nothing of it reaches the server. */
export class OperatorLife {
  readonly tape: RecordingTape;
  readonly traffic: Traffic;
  readonly #clock: Clock;
  readonly #run: HarnessRun;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  readonly #runsMax: number;
  /** Which keys have run, by controller. */
  readonly #keys = new Map<string, Set<ObjectKey>>();
  /** How often each key has run since something last came from outside. */
  readonly #runsNow = new Map<string, number>();
  #runs = 0;
  #runsInTurn = 0;
  #spin: Spin | undefined;
  #failure: { readonly error: unknown } | undefined;
  #isOver = false;

  constructor({ app, place, traffic, runsMax }: OperatorLifeOptions) {
    this.#clock = place.runtime.clock;
    this.#runsMax = runsMax;
    this.traffic = traffic;
    this.tape = place.tape;
    this.#run = runApp(app, { ...place, tape: this.#counting(place.tape), transport: traffic.transport });
    this.#ended = this.#run.run(this.#stop.signal).then(
      () => {
        this.#isOver = true;
      },
      (error: unknown) => {
        this.#isOver = true;
        if (!this.#stop.signal.aborted) this.#failure = { error };
      },
    );
  }

  /** Grows with whatever it does; what caches do by themselves is not counted. */
  get moves(): number {
    return this.traffic.moves + this.#runs;
  }

  get runs(): number {
    return this.#runs;
  }

  /** Why it ended although nobody asked it to; undefined while it runs. */
  get failure(): { readonly error: unknown } | undefined {
    if (this.#failure !== undefined || this.#stop.signal.aborted || !this.#isOver) return this.#failure;
    return { error: new Error("it ended by itself: its run resolved before its signal was aborted") };
  }

  /** The key that did not come to rest; the operator is stopped then. */
  get spin(): Spin | undefined {
    return this.#spin;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get kinds(): readonly Kind[] {
    return this.#run.kinds ?? [];
  }

  view(): LifeView {
    const { controllers, manager, informers, isReady = () => true } = this.#run;
    const state = manager?.state();
    return {
      nowMs: this.#clock.now(),
      isReady: isReady(),
      ...(state === undefined ? {} : { phase: state.phase }),
      controllers: controllers.map((controller) => ({ state: controller.state(), keys: controller.inspectAll() })),
      informers: [...(state?.clusters.flatMap((cluster) => cluster.informers) ?? []), ...(informers?.() ?? [])],
      requests: this.traffic.open,
    };
  }

  /** The event loop has had a turn. */
  turned(): void {
    this.#runsInTurn = 0;
  }

  /** Something came from outside: the test wrote, or the clock moved. What runs from now on is counted anew. */
  newMoment(): void {
    this.#runsNow.clear();
  }

  /** How often a key has run since then. */
  runsOf({ controller, key }: Pick<Spin, "controller" | "key">): number {
    return this.#runsNow.get(JSON.stringify([controller, key])) ?? 0;
  }

  /** Has every key that ever ran in this life run once more. */
  runAllAgain(): void {
    for (const controller of this.#run.controllers) {
      for (const key of this.#keys.get(controller.name) ?? [])
        controller.enqueue(key, { note: "the harness runs everything a second time" });
    }
  }

  /** How a key stands in the queue of the controller that knows it. */
  reportOf(key: ObjectKey): KeyReport<ObjectKey, Cause> | undefined {
    for (const controller of this.#run.controllers) {
      const report = controller.inspect(key);
      if (report !== undefined) return report;
    }
    return undefined;
  }

  /** Tells it to end as a process is told to. */
  stop(): Promise<void> {
    this.#stop.abort(new DOMException("the harness stops the operator", "AbortError"));
    return this.#ended;
  }

  /** Ends it as a crash does: from now on not a request of it reaches the server. Its code cannot be stopped, only what it says. */
  kill(): void {
    this.traffic.end();
    void this.stop();
  }

  /** The tape, and a count of what is written to it. */
  #counting(tape: RecordingTape): RecordingTape {
    return {
      begin: (start): RunTape => {
        this.#count(start);
        return tape.begin(start);
      },
      runs: (filter) => tape.runs(filter),
      records: (filter) => tape.records(filter),
      count: (filter) => tape.count(filter),
      describe: (causes) => tape.describe(causes),
      loops: () => tape.loops(),
      now: () => tape.now(),
    };
  }

  #count({ controller, key }: RunStart): void {
    this.#runs++;
    this.#runsInTurn++;
    const known = this.#keys.get(controller);
    if (known === undefined) this.#keys.set(controller, new Set([key]));
    else known.add(key);
    const runs = this.runsOf({ controller, key }) + 1;
    this.#runsNow.set(JSON.stringify([controller, key]), runs);
    if (this.#spin !== undefined || (runs <= this.#runsMax && this.#runsInTurn <= runsPerTurnMax)) return;
    this.#spin = { controller, key, runs };
    this.kill();
  }
}
