/**
 * What a reflector feeds: the ordered queue of an informer, or any classic `Store`. All calls are synchronous and in
 * the order of the server.
 */
import type { KubeObject } from "@drover/machinery";
import type { ObjectVersion } from "../source/object-version.ts";

export interface ReflectorSink<T extends KubeObject> {
  /** The whole state at once: what is not in it is gone. */
  replace(versions: readonly ObjectVersion<T>[], resourceVersion: string): void;
  /** ADDED and MODIFIED; which of the two matters to nobody behind the wire. */
  upsert(version: ObjectVersion<T>, event: "ADDED" | "MODIFIED"): void;
  /** DELETED, with the last state. */
  remove(version: ObjectVersion<T>): void;
  /** Nothing up to this version was missed. */
  bookmark(resourceVersion: string): void;
  /** Resolves when so little is waiting that more may come: back-pressure. Undefined means now. */
  ready(): Promise<void> | undefined;
}
