/**
 * One source that a controller watches: its runs and its sync state.
 *
 *     Source.run(sink, signal) → SourceWatch → the controller's queue
 */
import { Latch } from "@drover/machinery";
import type { Log, ObjectKey } from "@drover/machinery";
import type { PermissionNeed } from "../permissions/permission-need.ts";
import type { Replay, Source, SourceRequest, SourceSink, Watch } from "../sources/source.ts";

export interface SourceWatchOptions {
  readonly source: Source;
  readonly log: Log;
  readonly request: (key: ObjectKey, request: SourceRequest) => void;
  readonly keysOf?: SourceSink["keysOf"];
  /** Called when the source rejects before it was told to end. */
  readonly onFailure: (error: unknown) => void;
  readonly onStop: (watch: SourceWatch) => void;
}

const allIsWell = (): undefined => undefined;

interface Life {
  readonly end: AbortController;
  readonly over: Promise<void>;
}

/** Guarantees: at most one run of the source at a time; requests of a run that was told to end are ignored. */
export class SourceWatch implements Watch {
  readonly #options: SourceWatchOptions;
  #life: Life | undefined;
  #synced = new Latch();
  #waitingFor: () => string | undefined = allIsWell;
  #replay: Replay | undefined;
  #isStopped = false;
  /** Whether the source should run: if it is still ending, it starts again when it has ended. */
  #isWanted = false;

  constructor(options: SourceWatchOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.source.name;
  }

  get needs(): readonly PermissionNeed[] {
    return this.#options.source.needs ?? [];
  }

  get namesKeys(): boolean {
    return this.#options.source.namesKeys === true;
  }

  get isSynced(): boolean {
    return this.#synced.isOpen;
  }

  get waitingFor(): string | undefined {
    return this.#waitingFor();
  }

  synced(signal: AbortSignal): Promise<void> {
    return this.#synced.wait(signal);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#synced.break(new Error(`the watch of ${this.name} was stopped before it had synced`));
    this.#options.onStop(this);
    await this.end(new DOMException(`the watch of ${this.name} was stopped`, "AbortError"));
  }

  /** Starts the source unless it runs or was stopped. */
  start(): void {
    if (this.#isStopped) return;
    this.#isWanted = true;
    if (this.#life !== undefined) return;
    const end = new AbortController();
    this.#life = { end, over: this.#live(end.signal) };
  }

  /** Tells the source to end and resolves when it has; it may be started again. */
  async end(reason: unknown): Promise<void> {
    const life = this.#life;
    this.#isWanted = false;
    if (life === undefined) return;
    life.end.abort(reason);
    await life.over;
    if (this.#life !== life) return;
    this.#life = undefined;
    this.#waitingFor = allIsWell;
    this.#replay = undefined;
    if (this.#synced.isOpen) this.#synced = new Latch();
    if (this.#isWanted) this.start();
  }

  /** Requests everything that exists once more, if the source can; resolves when done or when the source ends. */
  async replay(request: SourceSink["request"]): Promise<void> {
    const life = this.#life;
    if (life === undefined || this.#replay === undefined) return;
    const { source, log } = this.#options;
    try {
      await this.#replay(request, life.end.signal);
    } catch (error) {
      if (!life.end.signal.aborted) log.error("source failed to request its objects again", { source: source.name, error });
    }
  }

  async #live(signal: AbortSignal): Promise<void> {
    const { source, onFailure, log } = this.#options;
    try {
      await source.run(this.#sink(signal), signal);
      // A source that ends by itself has nothing more to request.
      if (!signal.aborted) this.#synced.open();
    } catch (error) {
      if (!signal.aborted) return onFailure(error);
      if (error !== signal.reason) log.debug("source failed while ending", { source: source.name, error });
    }
  }

  #sink(signal: AbortSignal): SourceSink {
    const { request, source, log, keysOf } = this.#options;
    return {
      ...(keysOf === undefined ? {} : { keysOf }),
      request: (key, asked) => {
        if (signal.aborted) return;
        try {
          request(key, asked);
        } catch (error) {
          log.error("source made an invalid request", { source: source.name, key, error });
        }
      },
      synced: () => {
        if (signal.aborted) return;
        this.#synced.open();
      },
      waitingFor: (why) => {
        if (!signal.aborted) this.#waitingFor = typeof why === "function" ? why : () => why;
      },
      replayWith: (replay) => {
        if (!signal.aborted) this.#replay = replay;
      },
    };
  }
}
