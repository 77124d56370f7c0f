/**
 * Receives the events of a reflector: the queue of an informer, or a client-go `Store`. All calls are synchronous and in
 * the order of the server.
 */
import type { KubeObject } from "@drover/machinery";
import type { ObjectVersion } from "../source/object-version.ts";

/** How a list relates to what the sink has received before. */
export interface ListHistory {
  /**
   * Whether the server may have been restored from a backup since: then an object may have the same uid and resource version as before, but
   * other content.
   */
  readonly isNewEpoch: boolean;
  /** Whether this is the state of an earlier process, which may be outdated: the sink has synced with `caughtUp`. @default false */
  readonly isRestored?: boolean;
}

/** Receives what a reflector lists and watches. */
export interface ReflectorSink<T extends KubeObject> {
  /** Replaces the whole state: objects that are not listed are deleted. */
  replace(versions: readonly ObjectVersion<T>[], resourceVersion: string, history: ListHistory): void;
  /** ADDED or MODIFIED; sinks treat both the same. */
  upsert(version: ObjectVersion<T>, event: "ADDED" | "MODIFIED"): void;
  /** DELETED, with the last state of the object. */
  remove(version: ObjectVersion<T>): void;
  /** Everything up to this version was delivered. */
  bookmark(resourceVersion: string): void;
  /** A restored state is now as new as the server was at the start. @default the reflector restores no state */
  caughtUp?(): void;
  /** Backpressure: resolves when the sink can accept more events. Undefined means now. */
  ready(): Promise<void> | undefined;
}
