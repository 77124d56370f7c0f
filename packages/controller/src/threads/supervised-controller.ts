/**
 * A controller whose reconciles run in threads, as the main thread sees it: it declares its needs, and hands keys on.
 *
 *     manager.controller (main thread) → SupervisedController → ThreadTeam → the controller of the same name in each thread
 */
import type { ObjectKey } from "@drover/machinery";
import type { PermissionNeed } from "../permissions/permission-need.ts";
import type { Controller, ControllerState, EnqueueOptions } from "../reconcile/controller.ts";
import type { Source, Watch } from "../sources/source.ts";
import { untilAborted } from "../sources/until-aborted.ts";
import type { ThreadTeam } from "./thread-team.ts";

export interface SupervisedControllerOptions {
  readonly name: string;
  readonly workers: number;
  readonly writes: readonly PermissionNeed[];
  readonly team: Pick<ThreadTeam, "enqueue" | "setWorkers">;
}

/** Guarantees: starts no source, so that the main thread has no caches of it; never reconciles. */
export class SupervisedController implements Controller {
  readonly name: string;
  readonly #options: SupervisedControllerOptions;
  readonly #sources = new Set<Source>();
  #workers: number;

  constructor(options: SupervisedControllerOptions) {
    this.name = options.name;
    this.#options = options;
    this.#workers = options.workers;
  }

  get needs(): readonly PermissionNeed[] {
    return [...this.#options.writes, ...Array.from(this.#sources, ({ needs = [] }) => needs).flat()];
  }

  watch(source: Source): Watch {
    this.#sources.add(source);
    return {
      name: source.name,
      isSynced: true,
      waitingFor: undefined,
      synced: () => Promise.resolve(),
      stop: () => {
        this.#sources.delete(source);
        return Promise.resolve();
      },
    };
  }

  enqueue(key: ObjectKey, options: EnqueueOptions = {}): void {
    this.#options.team.enqueue(this.name, key, options);
  }

  setWorkers(count: number): void {
    this.#workers = count;
    this.#options.team.setWorkers(this.name, count);
  }

  /** Keys are in the threads. */
  inspect(): undefined {
    return undefined;
  }

  inspectAll(): readonly never[] {
    return [];
  }

  unpark(): boolean {
    return false;
  }

  state(): ControllerState {
    const runs = { ended: 0, failed: 0, tookMs: 0, waitedMs: 0 };
    return { name: this.name, phase: "running", workers: this.#workers, active: 0, ready: 0, waiting: 0, parked: 0, runs, watches: [] };
  }

  async warmUp(): Promise<void> {
    // The threads warm up.
  }

  async run(signal: AbortSignal): Promise<void> {
    await untilAborted(signal);
  }
}
