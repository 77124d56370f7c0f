/** A process on a server that dies and is restarted: its lives one after another, each with its own transport, runtime and caches. */
import type { ManagerRuntime } from "@drover/controller";
import type { ControllerManager } from "@drover/controller-manager";
import type { Transport } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import type { ManualClock } from "@drover/machinery/testing";
import { FlawedTransport } from "./flawed-transport.ts";
import { mistakeLog } from "./mistake-log.ts";
import type { MistakeLog } from "./mistake-log.ts";
import type { FaultRates } from "./plan.ts";
import type { RequestLog } from "./request-log.ts";

export interface ProcessOptions<T extends Program> {
  readonly name: string;
  readonly clock: ManualClock;
  readonly seed: number;
  readonly rates: FaultRates;
  readonly server: Transport;
  readonly log: RequestLog;
  readonly build: (transport: Transport, runtime: ManagerRuntime) => T;
}

/** What runs in a process. */
export interface Program {
  readonly controllers: ControllerManager;
}

interface Life<T> {
  readonly program: T;
  readonly transport: FlawedTransport;
  readonly log: MistakeLog;
  readonly stop: AbortController;
  readonly state: { isDead: boolean; isOver: boolean };
}

/** Guarantees: a life begins only after the previous one has ended. */
export class Process<T extends Program> {
  readonly #options: ProcessOptions<T>;
  #life: Life<T>;
  #count = 0;
  #isSound = false;
  #unsureBefore = 0;
  readonly #mistakes: string[] = [];

  constructor(options: ProcessOptions<T>) {
    this.#options = options;
    this.#life = this.#begin();
  }

  get program(): T {
    return this.#life.program;
  }

  get transport(): FlawedTransport {
    return this.#life.transport;
  }

  get isDead(): boolean {
    return this.#life.state.isDead;
  }

  get lives(): number {
    return this.#count;
  }

  /** Pods of all lives that were created although the answer was lost. */
  get unsureCreates(): number {
    return this.#unsureBefore + this.#life.transport.unsureCreates;
  }

  /** Our own bugs, from the logs of all lives. */
  get mistakes(): readonly string[] {
    return [...this.#mistakes, ...this.#life.log.mistakes];
  }

  /** Stops all faults, in later lives too. */
  repair(): void {
    this.#isSound = true;
    this.#life.transport.repair();
  }

  /** Ends this life, dead or not, and begins the next one. */
  async restart(): Promise<void> {
    await this.end();
    this.#unsureBefore += this.#life.transport.unsureCreates;
    this.#mistakes.push(...this.#life.log.mistakes);
    this.#life = this.#begin();
  }

  async end(): Promise<void> {
    const { stop, state } = this.#life;
    stop.abort(new DOMException("the process ends", "AbortError"));
    for (let turn = 0; !state.isOver; turn++) {
      if (turn > 1200) throw new Error(`${this.#options.name} ${this.#count} has not ended after two minutes`);
      await this.#options.clock.advance(100);
    }
  }

  #begin(): Life<T> {
    const { name, clock, seed, rates, server, log: requests, build } = this.#options;
    const count = ++this.#count;
    const log = mistakeLog();
    const runtime = { ...testRuntime({ clock, seed: `${seed} ${name} ${count}` }), log };
    const state = { isDead: false, isOver: false };
    const transport = new FlawedTransport({
      next: server,
      clock,
      random: runtime.random.stream("faults"),
      rates,
      log: requests,
      name: `${name} ${count}`,
      onDeath: () => (state.isDead = true),
    });
    if (this.#isSound) transport.repair();
    const program = build(transport.handle, runtime);
    const stop = new AbortController();
    void program.controllers
      .run(stop.signal)
      .then(
        () => undefined,
        (error: unknown) => {
          // A killed process rejects like this.
          if (!state.isDead && !stop.signal.aborted) this.#mistakes.push(`${name} ${count} ended by itself: ${String(error)}`);
          state.isDead = true;
        },
      )
      .finally(() => (state.isOver = true));
    return { program, transport, log, stop, state };
  }
}
