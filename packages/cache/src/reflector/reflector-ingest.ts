/**
 * Passes batches of a watch to the sink: in order, never backwards, in slices, with backpressure.
 *
 *     batches → judgeVersion → ReflectorSink
 */
import { abortable, ApiError, TurnKeeper } from "@drover/machinery";
import type { Clock, KubeObject } from "@drover/machinery";
import type { ObjectVersion } from "../source/object-version.ts";
import { WatchProtocolError } from "./reflector-failure.ts";
import type { ReflectorJournal } from "./reflector-journal.ts";
import { judgeVersion, olderEventsMax, versionAfter } from "./reflector-progress.ts";
import type { ListHistory, ReflectorSink } from "./reflector-sink.ts";
import type { LazyWatchEvent } from "../source/version-source.ts";

export interface IngestOptions<T extends KubeObject> {
  readonly sink: ReflectorSink<T>;
  readonly clock: Clock;
  readonly journal: ReflectorJournal;
}

/** Half of what keeps the loop responsive: a pause of the garbage collector, which a large list causes often, comes on top. */
const sliceMs = 5;

/** Guarantees: an event older than a previous one does not reach the sink; `version` never decreases between two calls of `replace`. */
export class ReflectorIngest<T extends KubeObject> {
  readonly #sink: ReflectorSink<T>;
  readonly #journal: ReflectorJournal;
  readonly turns: TurnKeeper;
  #version = "";
  /** Version at which the stream started. */
  #since = "";
  #progressed = false;
  #olderInARow = 0;

  constructor({ sink, clock, journal }: IngestOptions<T>) {
    this.#sink = sink;
    this.#journal = journal;
    this.turns = new TurnKeeper({ clock, sliceMs });
  }

  /** Version up to which everything has reached the sink. */
  get version(): string {
    return this.#version;
  }

  /** Whether this stream has delivered anything new. */
  get progressed(): boolean {
    return this.#progressed;
  }

  /** False after the sink threw: its content is then unknown. */
  replace(versions: readonly ObjectVersion<T>[], resourceVersion: string, history: ListHistory): boolean {
    this.#version = resourceVersion;
    this.#journal.reached(resourceVersion);
    try {
      this.#sink.replace(versions, resourceVersion, history);
      return true;
    } catch (error) {
      this.#journal.sinkThrew("replace", error);
      return false;
    }
  }

  caughtUp(): void {
    try {
      this.#sink.caughtUp?.();
    } catch (error) {
      this.#journal.sinkThrew("caughtUp", error);
    }
  }

  /** Starts a new stream. */
  begin(): void {
    this.#since = this.#version;
    this.#progressed = false;
    this.#olderInARow = 0;
  }

  /** Processes a batch. Returns an error that ends the stream, after processing the events before it. Rejects with the signal's reason. */
  async take(batch: readonly LazyWatchEvent<T>[], signal: AbortSignal): Promise<ApiError | WatchProtocolError | undefined> {
    try {
      for (const event of batch) {
        const turn = this.turns.due(signal);
        if (turn !== undefined) await turn;
        const ready = this.#sink.ready();
        if (ready !== undefined) await abortable(ready, signal);
        const error = this.#event(event);
        if (error !== undefined) return error;
      }
      return undefined;
    } finally {
      this.#journal.took(batch.length, this.#version);
    }
  }

  close(): void {
    this.turns.close();
  }

  #event(event: LazyWatchEvent<T>): ApiError | WatchProtocolError | undefined {
    switch (event.type) {
      case "ADDED":
      case "MODIFIED":
      case "DELETED":
        return this.#change(event.type, event.version);
      case "BOOKMARK":
        return this.#bookmark(event.resourceVersion);
      case "POISON":
        // Do not advance the version: a restarted watch may deliver the object in a readable form.
        this.#journal.poisoned(event.report);
        break;
      case "ERROR":
        return new ApiError(event.status, { attempt: "watch" });
    }
    return undefined;
  }

  #change(type: "ADDED" | "MODIFIED" | "DELETED", version: ObjectVersion<T>): WatchProtocolError | undefined {
    const verdict = judgeVersion(this.#version, version.resourceVersion);
    if (verdict !== "apply") return this.#refuse(verdict, version);
    this.#olderInARow = 0;
    this.#progressed = true;
    this.#version = versionAfter(this.#version, this.#since, type, version.resourceVersion);
    try {
      if (type === "DELETED") this.#sink.remove(version);
      else this.#sink.upsert(version, type);
    } catch (error) {
      this.#journal.sinkThrew(type, error);
    }
    return undefined;
  }

  #refuse(verdict: "repeat" | "older", { key, resourceVersion }: ObjectVersion<T>): WatchProtocolError | undefined {
    this.#journal.refusedEvent(key, resourceVersion, this.#version);
    if (verdict === "repeat" || ++this.#olderInARow < olderEventsMax) return undefined;
    return new WatchProtocolError(
      `the watch sent ${olderEventsMax} events in a row that are older than version ${this.#version}, which it had already reached`,
    );
  }

  #bookmark(resourceVersion: string): WatchProtocolError | undefined {
    // A bookmark without a version carries no information and must not reset the version.
    if (resourceVersion === "") return undefined;
    if (judgeVersion(this.#version, resourceVersion) === "older") {
      this.#journal.refusedEvent("a bookmark", resourceVersion, this.#version);
      return new WatchProtocolError(
        `the watch sent a bookmark at version ${resourceVersion}, older than ${this.#version}, which it had already reached`,
      );
    }
    this.#olderInARow = 0;
    this.#progressed = true;
    this.#version = resourceVersion;
    try {
      this.#sink.bookmark(resourceVersion);
    } catch (error) {
      this.#journal.sinkThrew("BOOKMARK", error);
    }
    return undefined;
  }
}
