/**
 * What is remembered of Jobs between two looks. All of it can be lost: what counts stands in the status and on the pods.
 *
 *     syncJob → wrote, expectFreed, setBackoff;   changes of pods → freed;   the next look → newest, freeing, backoff
 */
import { compareResourceVersions, objectKeyOf } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import { noBackoff } from "./failure-backoff.ts";
import type { Backoff } from "./failure-backoff.ts";
import type { JobView } from "./job-view.ts";

interface Remembered {
  readonly uid: string;
  backoff: Backoff;
  written: JobView | undefined;
  /** Uids of pods whose finalizer was taken, which the cache has not shown yet. */
  readonly freeing: Set<string>;
}

/** Guarantees: a Job of the same name that came later finds nothing of the one before. */
export class JobMemory {
  readonly #jobs = new Map<ObjectKey, Remembered>();

  /** The Job as it was last written, when the cache is behind that. */
  newest(cached: JobView): JobView {
    const { written } = this.#of(cached);
    if (written === undefined) return cached;
    return compareResourceVersions(written.metadata.resourceVersion ?? "", cached.metadata.resourceVersion ?? "") === 1 ? written : cached;
  }

  /** The server's answer to a write of its status. */
  wrote(job: JobView): void {
    this.#of(job).written = job;
  }

  backoff(job: JobView): Backoff {
    return this.#of(job).backoff;
  }

  setBackoff(job: JobView, backoff: Backoff): void {
    this.#of(job).backoff = backoff;
  }

  /** The pods that are being let go, as they are at this moment. */
  freeing(job: JobView): ReadonlySet<string> {
    return new Set(this.#of(job).freeing);
  }

  /** The finalizer of these pods is about to be taken. */
  expectFreed(job: JobView, uids: Iterable<string>): void {
    const { freeing } = this.#of(job);
    for (const uid of uids) freeing.add(uid);
  }

  /** A pod was seen without the finalizer, or will be seen with it because it could not be taken. */
  freed(owner: ObjectKey, uid: string): void {
    this.#jobs.get(owner)?.freeing.delete(uid);
  }

  /** The Job is gone, or over. */
  forget(key: ObjectKey): void {
    this.#jobs.delete(key);
  }

  #of(job: JobView): Remembered {
    const key = objectKeyOf(job);
    const { uid = "" } = job.metadata;
    const known = this.#jobs.get(key);
    if (known?.uid === uid) return known;
    const made: Remembered = { uid, backoff: noBackoff, written: undefined, freeing: new Set() };
    this.#jobs.set(key, made);
    return made;
  }
}
