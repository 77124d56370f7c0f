/**
 * One life of the operator: from its start with an empty memory to its stop or crash.
 *
 *     HarnessApp, HarnessPlace → OperatorLife: what it does, what it knows, how it ends
 */
import type { Cause, RecordingTape, RunStart, RunTape, Webhooks } from "@drover/controller";
import { definedOnly } from "@drover/machinery";
import type { Clock, Kind, ObjectKey } from "@drover/machinery";
import type { KeyReport } from "@drover/workqueue";
import { runApp } from "./harness-app.ts";
import type { HarnessApp, HarnessPlace, HarnessRun } from "./harness-app.ts";
import type { Traffic } from "./traffic.ts";
import type { LifeView } from "./unrest.ts";

/** Options of an `OperatorLife`. */
export interface OperatorLifeOptions {
  readonly app: HarnessApp;
  readonly place: Omit<HarnessPlace, "transport">;
  readonly traffic: Traffic;
  /** Maximum runs of a key without an external event. */
  readonly runsMax: number;
}

/** A key that runs again and again. */
export interface Spin {
  readonly controller: string;
  readonly key: ObjectKey;
  readonly runs: number;
}

/** Maximum runs within one turn of the event loop; an operator that talks to a server cannot reach it. */
const runsPerTurnMax = 10_000;

/**
 * Guarantees: stops an operator that never becomes idle, so that the test continues; after `kill` none of its requests
 * reach the server.
 */
export class OperatorLife {
  readonly tape: RecordingTape;
  readonly traffic: Traffic;
  readonly #clock: Clock;
  readonly #run: HarnessRun;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  readonly #runsMax: number;
  /** Keys that have run, by controller. */
  readonly #keys = new Map<string, Set<ObjectKey>>();
  /** Runs per key since the last external event. */
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

  /** Counts progress of the operator; does not count the traffic of caches. */
  get moves(): number {
    return this.traffic.moves + this.#runs;
  }

  get runs(): number {
    return this.#runs;
  }

  /** Error of an unexpected end; undefined while it runs. */
  get failure(): { readonly error: unknown } | undefined {
    if (this.#failure !== undefined || this.#stop.signal.aborted || !this.#isOver) return this.#failure;
    return { error: new Error("it ended by itself: its run resolved before its signal aborted") };
  }

  /** The key that did not become idle, for which the operator was stopped. */
  get spin(): Spin | undefined {
    return this.#spin;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Name of the operator; undefined if it is none. */
  get name(): string | undefined {
    return this.#run.name;
  }

  /** Webhooks of the operator; undefined if it is none. */
  get webhooks(): Webhooks | undefined {
    return this.#run.webhooks;
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
      ...definedOnly({ phase: state?.phase }),
      controllers: controllers.map((controller) => ({ state: controller.state(), keys: controller.inspectAll() })),
      informers: [...(state?.clusters.flatMap((cluster) => cluster.informers) ?? []), ...(informers?.() ?? [])],
      requests: this.traffic.open,
    };
  }

  /** Call it after each turn of the event loop. */
  turned(): void {
    this.#runsInTurn = 0;
  }

  /** Call it after an external event (a write of the test, an advance of the clock): resets the run counts. */
  newMoment(): void {
    this.#runsNow.clear();
  }

  /** Returns the runs of a key since the last external event. */
  runsOf({ controller, key }: Pick<Spin, "controller" | "key">): number {
    return this.#runsNow.get(JSON.stringify([controller, key])) ?? 0;
  }

  /** Enqueues every key that has run in this life once more. */
  runAllAgain(): void {
    for (const controller of this.#run.controllers) {
      for (const key of this.#keys.get(controller.name) ?? [])
        controller.enqueue(key, { note: "the harness runs everything a second time" });
    }
  }

  /** Returns the queue state of a key from the controller that knows it. */
  reportOf(key: ObjectKey): KeyReport<ObjectKey, Cause> | undefined {
    for (const controller of this.#run.controllers) {
      const report = controller.inspect(key);
      if (report !== undefined) return report;
    }
    return undefined;
  }

  /** Stops it gracefully, like a signal. */
  stop(): Promise<void> {
    this.#stop.abort(new DOMException("the harness stops the operator", "AbortError"));
    return this.#ended;
  }

  /** Ends it like a crash: from now on none of its requests reach the server. Its code keeps running. */
  kill(): void {
    this.traffic.end();
    void this.stop();
  }

  /** Wraps the tape to count runs. */
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
      calls: (last) => tape.calls(last),
      ended: (after, max, filter) => tape.ended(after, max, filter),
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
