/**
 * In-memory state of Jobs between syncs. All of it may be lost: the status and the pods hold what counts.
 *
 *     syncJob → wrote, expectFreed, setBackoff;   pod changes → freed;   the next sync → newest, freeing, backoff
 */
import { compareResourceVersions, objectKeyOf } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import { noBackoff } from "./failure-backoff.ts";
import type { Backoff } from "./failure-backoff.ts";
import type { JobView } from "./job-view.ts";

interface Remembered {
  readonly uid: string;
  backoff: Backoff;
  written: { readonly job: JobView; readonly atMs: number } | undefined;
  /** Uids of pods whose finalizer was removed, which the cache does not show yet. */
  readonly freeing: Set<string>;
}

/**
 * How long a cache may lag behind a write, in milliseconds. After that the cache is right: the server was restored from a backup, and the
 * write is lost.
 */
const lagMaxMs = 60_000;

/** Guarantees: a later Job of the same name finds no state of the earlier one. */
export class JobMemory {
  readonly #jobs = new Map<ObjectKey, Remembered>();

  /** Returns the Job as last written when the cache lags behind that. @param nowMs - monotonic */
  newest(cached: JobView, nowMs: number): JobView {
    const { written } = this.#of(cached);
    if (written === undefined || nowMs - written.atMs > lagMaxMs) return cached;
    const { job } = written;
    return compareResourceVersions(job.metadata.resourceVersion ?? "", cached.metadata.resourceVersion ?? "") === 1 ? job : cached;
  }

  /** Records the server's response to a status write. @param nowMs - monotonic */
  wrote(job: JobView, nowMs: number): void {
    this.#of(job).written = { job, atMs: nowMs };
  }

  backoff(job: JobView): Backoff {
    return this.#of(job).backoff;
  }

  setBackoff(job: JobView, backoff: Backoff): void {
    this.#of(job).backoff = backoff;
  }

  /** Returns a snapshot of the pods being released. */
  freeing(job: JobView): ReadonlySet<string> {
    return new Set(this.#of(job).freeing);
  }

  /** Records that the finalizers of these pods are about to be removed. */
  expectFreed(job: JobView, uids: Iterable<string>): void {
    const { freeing } = this.#of(job);
    for (const uid of uids) freeing.add(uid);
  }

  /** Records that a pod was observed without the finalizer, or that removing it failed. */
  freed(owner: ObjectKey, uid: string): void {
    this.#jobs.get(owner)?.freeing.delete(uid);
  }

  /** Drops the state of a Job that is gone or finished. */
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
