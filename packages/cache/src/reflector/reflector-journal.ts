/** Log lines, metrics and status of a reflector. It makes no decisions. */
import { callSafely, isInstanceOf } from "@drover/machinery";
import type { Runtime } from "@drover/machinery";
import { problemCode } from "@drover/machinery/codes";
import { RelistAsked, failureOf } from "./reflector-failure.ts";
import { reflectorMetrics, versionNumber } from "./reflector-metrics.ts";
import type { ReflectorMetrics } from "./reflector-metrics.ts";
import type { ReflectorPhase, ReflectorState } from "./reflector-state.ts";
import type { ReflectorStatus } from "./reflector-status.ts";
import { undecodable } from "../source/poison-object-error.ts";
import type { PoisonReport } from "../source/version-source.ts";

export interface JournalOptions {
  readonly runtime: Pick<Runtime, "clock" | "log" | "metrics">;
  readonly name: string;
  /** Called with every failure; its own errors are logged. */
  readonly onError: ((error: unknown) => void) | undefined;
}

const poisonKept = 16;

/** Guarantees: no method throws, whatever a handler or a sink does. */
export class ReflectorJournal {
  readonly #clock: Runtime["clock"];
  readonly #log: Runtime["log"];
  readonly #metrics: ReflectorMetrics;
  readonly #onError: ((error: unknown) => void) | undefined;
  #phase: ReflectorStatus["phase"] = "empty";
  #sinceMs: number | undefined;
  #requestBeganMs = 0;
  #heardMs: number | undefined;
  #lastError: ReflectorStatus["lastError"];
  #hasFailed = false;
  #lists = 0;
  #watches = 0;
  #events = 0;
  #refused = 0;
  #poison: readonly PoisonReport[] = [];
  #poisonCount = 0;

  constructor({ runtime: { clock, log, metrics }, name, onError }: JournalOptions) {
    this.#clock = clock;
    this.#log = log.with({ reflector: name });
    this.#metrics = reflectorMetrics(metrics, name);
    this.#onError = onError;
  }

  /** Records a transition of the state machine. */
  entered(inner: ReflectorPhase["kind"] | "stopped"): void {
    const phase = inner === "probing" ? "listing" : inner === "catching-up" ? "watching" : inner;
    if (phase === this.#phase) return;
    this.#phase = phase;
    this.#sinceMs = this.#clock.now();
  }

  listBegins(): void {
    this.#lists++;
    this.#metrics.lists.add();
    this.#requestBeganMs = this.#clock.monotonic();
  }

  listed(items: number): void {
    this.#metrics.listDuration.observe((this.#clock.monotonic() - this.#requestBeganMs) / 1000);
    this.#metrics.itemsPerList.observe(items);
    this.#heard();
  }

  watchBegins(): void {
    this.#watches++;
    this.#metrics.watches.add();
    this.#requestBeganMs = this.#clock.monotonic();
  }

  /** Records the end of a watch; without an error, the server closed it normally. */
  watchEnded(error: unknown): void {
    const livedMs = this.#clock.monotonic() - this.#requestBeganMs;
    this.#metrics.watchDuration.observe(livedMs / 1000);
    if (livedMs < 1000) this.#metrics.shortWatches.add();
    if (isInstanceOf(error, RelistAsked)) this.#log.info("relisting", { why: error.message });
    else if (error !== undefined) this.failed(error);
  }

  /** Records events of a watch. */
  took(events: number, version: string): void {
    this.#events += events;
    this.#metrics.events.add(events);
    this.reached(version);
    this.#heard();
  }

  reached(version: string): void {
    const number = versionNumber(version);
    if (number !== undefined) this.#metrics.lastVersion.set(number);
  }

  failed(error: unknown): void {
    this.#lastError = { error, atMs: this.#clock.now() };
    this.#hasFailed = true;
    this.#metrics.errors.add();
    const { kind } = failureOf(error, "request");
    if (kind === "expired") this.#log.info("watch expired, relisting", { error });
    else this.#log.warn("list or watch failed, retrying", { error, code: problemCode(error) ?? "DRV0507" });
    callSafely(
      () => this.#onError?.(error),
      (thrown) => this.#log.error("watch error handler threw", { error: thrown }),
    );
  }

  refusedEvent(what: string, version: string, have: string): void {
    this.#refuse();
    this.#log.debug("dropped a watch event older than the cache", { what, version, have });
  }

  refusedList(version: string, have: string): void {
    this.#refuse();
    this.#hasFailed = true;
    this.#log.warn("dropped a list older than the cache: the server lags behind or was restored from a backup", {
      version,
      have,
    });
  }

  newEpoch(from: string, to: string): void {
    this.#metrics.epochs.add();
    this.#log.error("resource versions of the server went back permanently, accepting its state as a new epoch", {
      from,
      to,
      code: "DRV0505",
    });
  }

  watchListPutOff(): void {
    this.#log.info("server did not complete a watch-list, listing in pages for a while");
  }

  poisoned(report: PoisonReport): void {
    this.#poison = [...this.#poison, report].slice(-poisonKept);
    this.#poisonCount++;
    this.#metrics.poison.add();
    this.#log.error("dropped an object that cannot be decoded", { ...report, code: undecodable });
  }

  /** Records an error of the sink, which does not end the watch. */
  sinkThrew(at: string, error: unknown): void {
    this.#lastError = { error, atMs: this.#clock.now() };
    this.#log.error(`reflector sink threw at ${at}`, { error });
  }

  status(state: ReflectorState, version: string): ReflectorStatus {
    const waitMs = state.phase.kind === "backing-off" ? state.phase.untilMs - this.#clock.monotonic() : undefined;
    return {
      phase: this.#phase,
      sinceMs: this.#sinceMs,
      untilMs: waitMs === undefined || this.#phase === "stopped" ? undefined : this.#clock.now() + Math.max(0, waitMs),
      hasSynced: state.hasSynced,
      lastSyncResourceVersion: version,
      epoch: state.epoch,
      lagMs: this.#heardMs === undefined ? undefined : this.#clock.monotonic() - this.#heardMs,
      lastError: this.#lastError,
      hasFailed: this.#hasFailed,
      lists: this.#lists,
      watches: this.#watches,
      events: this.#events,
      refused: this.#refused,
      poison: this.#poison,
      poisonCount: this.#poisonCount,
    };
  }

  #heard(): void {
    this.#heardMs = this.#clock.monotonic();
    this.#hasFailed = false;
  }

  #refuse(): void {
    this.#refused++;
    this.#metrics.refused.add();
  }
}
