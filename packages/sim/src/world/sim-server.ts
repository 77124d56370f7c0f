/**
 * An API server that is set back before each schedule instead of being started again.
 */
import { createApiServer, MemoryStore } from "@drover/apiserver";
import type { ApiServer, StoreSnapshot } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { createMetrics, createRandom, uidSource } from "@drover/machinery";
import type { Clock, Random } from "@drover/machinery";
import { recordingLog } from "@drover/machinery/testing";
import { lifeClock } from "./life-clock.ts";
import { Timeline } from "./timeline.ts";

/** Guarantees: after `reset` with equal seeds, equal requests get equal answers. */
export class SimServer {
  readonly api: ApiServer;
  readonly #clock: MovableClock;
  readonly #random: MovableRandom;
  #snapshot: StoreSnapshot;

  private constructor(api: ApiServer, clock: MovableClock, random: MovableRandom) {
    this.api = api;
    this.#clock = clock;
    this.#random = random;
    this.#snapshot = api.snapshot();
  }

  static async start(): Promise<SimServer> {
    const clock = new MovableClock(lifeClock(new Timeline({ nowMs: 0, drained: () => Promise.resolve() })));
    const random = new MovableRandom("server");
    const runtime = { clock, random, uid: uidSource(random.stream("uid")), log: recordingLog(clock), metrics: createMetrics() };
    const api = await createApiServer({ runtime, host: nodeHost, store: new MemoryStore({ clock }) });
    return new SimServer(api, clock, random);
  }

  /** From now on `reset` returns to the current state. */
  keep(): void {
    this.#snapshot = this.api.snapshot();
  }

  async reset(timeline: Timeline, seed: string): Promise<void> {
    this.#clock.current = lifeClock(timeline);
    this.#random.reset(seed);
    await this.api.restore(this.#snapshot);
  }
}

/** A clock that can be moved to another timeline. Timers of the former one never fire again. */
class MovableClock implements Clock {
  current: Clock;

  constructor(clock: Clock) {
    this.current = clock;
  }

  now(): number {
    return this.current.now();
  }

  monotonic(): number {
    return this.current.monotonic();
  }

  timer(delayMs: number, callback: () => void): () => void {
    return this.current.timer(delayMs, callback);
  }
}

/** A random source whose streams begin again with another seed. */
class MovableRandom implements Random {
  readonly #path: string;
  readonly #streams = new Map<string, MovableRandom>();
  #current: Random;

  constructor(seed: string, path = "") {
    this.#path = path;
    this.#current = createRandom(`${seed}${path}`);
  }

  next(): number {
    return this.#current.next();
  }

  int(bound: number): number {
    return this.#current.int(bound);
  }

  stream(name: string): Random {
    const known = this.#streams.get(name);
    if (known !== undefined) return known;
    const stream = new MovableRandom("", `${this.#path}/${name}`);
    this.#streams.set(name, stream);
    return stream;
  }

  reset(seed: string): void {
    this.#current = createRandom(`${seed}${this.#path}`);
    for (const stream of this.#streams.values()) stream.reset(seed);
  }
}
