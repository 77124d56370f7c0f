/** A sink for tests of reflectors: a map that records when it is moved back. */
import { compareResourceVersions } from "@drover/machinery";
import type { KubeObject } from "@drover/machinery";
import type { ObjectVersion } from "../source/object-version.ts";
import type { ReflectorSink } from "../reflector/reflector-sink.ts";

/** Stores what it receives. */
export class MapSink<T extends KubeObject = KubeObject> implements ReflectorSink<T> {
  readonly versions: Map<string, ObjectVersion<T>> = new Map();
  /** Calls in order: "replace 3 @17", "ADDED shop/web @18", "DELETED shop/web @19", "bookmark @20". Bounded. */
  readonly calls: string[] = [];
  /** Violations within one history of a server: an object, or the whole state, at an older version than before. */
  readonly wentBack: string[] = [];
  /** Set to apply backpressure; `release` ends it. */
  isFull = false;
  resourceVersion = "";
  #release: (() => void) | undefined;

  replace(versions: readonly ObjectVersion<T>[], resourceVersion: string): void {
    this.#note(`replace ${versions.length} @${resourceVersion}`);
    this.#reached(resourceVersion);
    const before = new Map(this.versions);
    this.versions.clear();
    for (const version of versions) {
      this.#check(before.get(version.key), version);
      this.versions.set(version.key, version);
    }
  }

  upsert(version: ObjectVersion<T>, event: "ADDED" | "MODIFIED"): void {
    this.#note(`${event} ${version.key} @${version.resourceVersion}`);
    this.#check(this.versions.get(version.key), version);
    this.#reached(version.resourceVersion);
    this.versions.set(version.key, version);
  }

  remove(version: ObjectVersion<T>): void {
    this.#note(`DELETED ${version.key} @${version.resourceVersion}`);
    this.#reached(version.resourceVersion);
    this.versions.delete(version.key);
  }

  bookmark(resourceVersion: string): void {
    this.#note(`bookmark @${resourceVersion}`);
    this.#reached(resourceVersion);
  }

  ready(): Promise<void> | undefined {
    if (!this.isFull) return undefined;
    return new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  release(): void {
    this.isFull = false;
    this.#release?.();
  }

  /** Every key with uid and version, sorted, for the comparison with the server. */
  contents(): string[] {
    return [...this.versions.values()].map(({ key, uid, resourceVersion }) => `${key} ${uid} @${resourceVersion}`).toSorted();
  }

  #check(before: ObjectVersion<T> | undefined, now: ObjectVersion<T>): void {
    if (before !== undefined && compareResourceVersions(now.resourceVersion, before.resourceVersion) === -1)
      this.wentBack.push(`${now.key}: ${before.resourceVersion} → ${now.resourceVersion}`);
  }

  #reached(resourceVersion: string): void {
    if (compareResourceVersions(resourceVersion, this.resourceVersion) === -1)
      this.wentBack.push(`${this.resourceVersion} → ${resourceVersion}`);
    this.resourceVersion = resourceVersion;
  }

  #note(call: string): void {
    if (this.calls.length < 10_000) this.calls.push(call);
  }
}
