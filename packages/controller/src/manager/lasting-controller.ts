/**
 * A controller that survives a lost lease: one handle over a new controller per term.
 *
 *     manager.controller (standAgain) → LastingController → createController, once for each term
 */
import type { ObjectKey } from "@drover/machinery";
import { isFencedError } from "../leader/fenced-error.ts";
import type { PermissionNeed } from "../permissions/permission-need.ts";
import type { Controller, ControllerState, EnqueueOptions } from "../reconcile/controller.ts";
import type { Source, Watch } from "../sources/source.ts";

/** A source and its watch in the current term. */
interface Watched {
  readonly source: Source;
  watch: Watch;
}

/**
 * Guarantees: sources stay watched in every term. When the lease is lost, the controller of the next term acquires its informers before the
 * previous one releases them, so caches stay warm. The new controller starts with all existing objects; keys enqueued with `enqueue` are
 * lost.
 */
export class LastingController implements Controller {
  readonly runsAgain = true;
  readonly #make: () => Controller;
  readonly #watched = new Set<Watched>();
  #current: Controller;
  /** Number of workers set with `setWorkers`. */
  #workers: number | undefined;
  /** Signal of `warmUp`; lives as long as the manager. */
  #life: AbortSignal | undefined;

  constructor(make: () => Controller) {
    this.#make = make;
    this.#current = make();
  }

  get name(): string {
    return this.#current.name;
  }

  get needs(): readonly PermissionNeed[] {
    return this.#current.needs;
  }

  watch(source: Source): Watch {
    const watched: Watched = { source, watch: this.#current.watch(source) };
    this.#watched.add(watched);
    return {
      name: watched.watch.name,
      get isSynced() {
        return watched.watch.isSynced;
      },
      get waitingFor() {
        return watched.watch.waitingFor;
      },
      synced: (signal) => watched.watch.synced(signal),
      stop: () => {
        this.#watched.delete(watched);
        return watched.watch.stop();
      },
    };
  }

  enqueue(key: ObjectKey, options?: EnqueueOptions): void {
    this.#current.enqueue(key, options);
  }

  setWorkers(count: number): void {
    this.#current.setWorkers(count);
    this.#workers = count;
  }

  inspect(key: ObjectKey): ReturnType<Controller["inspect"]> {
    return this.#current.inspect(key);
  }

  inspectAll(): ReturnType<Controller["inspectAll"]> {
    return this.#current.inspectAll();
  }

  unpark(key: ObjectKey): boolean {
    return this.#current.unpark(key);
  }

  state(): ControllerState {
    return this.#current.state();
  }

  async warmUp(signal: AbortSignal): Promise<void> {
    this.#life = signal;
    await this.#current.warmUp(signal);
  }

  async run(signal: AbortSignal): Promise<void> {
    const running = this.#current;
    const renew = (): void => {
      if (isFencedError(signal.reason)) this.#renew();
    };
    signal.addEventListener("abort", renew, { once: true });
    try {
      await running.run(signal);
    } finally {
      signal.removeEventListener("abort", renew);
    }
  }

  #renew(): void {
    this.#current = this.#make();
    if (this.#workers !== undefined) this.#current.setWorkers(this.#workers);
    for (const watched of this.#watched) watched.watch = this.#current.watch(watched.source);
    // The next `run` waits for the same sync and reports the error.
    if (this.#life !== undefined) this.#current.warmUp(this.#life).catch(() => undefined);
  }
}
