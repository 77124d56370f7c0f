/**
 * The storage of a scripted API: objects, a revision per write, and the history that is not compacted.
 *
 *     put, remove → Commit → watches; at(revision) → lists
 */
import { deepFreeze } from "@drover/machinery";
import type { KubeObject } from "@drover/machinery";

/** An object as a test writes it: name, namespace and any other fields. The server sets uid and version. */
export interface ScriptedObject extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** One write to the storage. */
export interface Commit {
  readonly revision: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly key: string;
  /** State after the commit; for a deletion the last state, at the version of the deletion. */
  readonly object: ScriptedObject;
  readonly before: ScriptedObject | undefined;
}

/** The whole state at one revision, for `restore`. */
export interface HistorySnapshot {
  readonly revision: number;
  readonly objects: ReadonlyMap<string, ScriptedObject>;
}

export interface HistoryOptions {
  /** Number of commits kept; older ones are compacted automatically. @default 10000 */
  readonly commitsMax?: number;
  /** Revision of the empty store. @default 1 */
  readonly revision?: number;
}

/** Guarantees: revisions grow by one with each write and go back only through `restore`; objects are frozen. */
export class ScriptedHistory {
  readonly #commitsMax: number;
  #objects = new Map<string, ScriptedObject>();
  #commits: Commit[] = [];
  #revision: number;
  #compacted: number;
  #uids = 0;

  constructor({ commitsMax = 10_000, revision = 1 }: HistoryOptions = {}) {
    this.#commitsMax = commitsMax;
    this.#revision = revision;
    this.#compacted = revision;
  }

  get revision(): number {
    return this.#revision;
  }

  /** Watches from before this revision are rejected. */
  get compacted(): number {
    return this.#compacted;
  }

  get objects(): ReadonlyMap<string, ScriptedObject> {
    return this.#objects;
  }

  put(object: KubeObject & { readonly data?: Readonly<Record<string, string>> }): Commit {
    const key = keyOf(object);
    const before = this.#objects.get(key);
    const uid = before?.metadata.uid ?? `uid-${++this.#uids}`;
    const metadata = { ...object.metadata, uid, resourceVersion: String(this.#revision + 1) };
    return this.#commit({
      type: before === undefined ? "ADDED" : "MODIFIED",
      key,
      object: deepFreeze<ScriptedObject>({ ...object, metadata }) as ScriptedObject,
      before,
    });
  }

  /** Deletes an object; undefined if there is none. */
  remove(key: string): Commit | undefined {
    const before = this.#objects.get(key);
    if (before === undefined) return undefined;
    return this.#commit({ type: "DELETED", key, object: atVersion(before, String(this.#revision + 1)), before });
  }

  /** Advances the revision without a change, as writes to other kinds do. */
  skip(count = 1): void {
    this.#revision += count;
  }

  compact(): void {
    this.#compacted = this.#revision;
    this.#commits = [];
  }

  /** Returns the commits after a revision, up to another one. */
  between(after: number, upTo: number): readonly Commit[] {
    let low = 0;
    for (let high = this.#commits.length; low < high;) {
      const middle = (low + high) >>> 1;
      if ((this.#commits[middle]?.revision ?? 0) <= after) low = middle + 1;
      else high = middle;
    }
    let end = this.#commits.length;
    while (end > low && (this.#commits[end - 1]?.revision ?? 0) > upTo) end--;
    return this.#commits.slice(low, end);
  }

  /** Returns the state at a revision that is not compacted. */
  at(revision: number): ReadonlyMap<string, ScriptedObject> {
    const later = this.between(revision, this.#revision);
    if (later.length === 0) return this.#objects;
    const objects = new Map(this.#objects);
    for (const { key, before } of later.toReversed()) {
      if (before === undefined) objects.delete(key);
      else objects.set(key, before);
    }
    return objects;
  }

  snapshot(): HistorySnapshot {
    return { revision: this.#revision, objects: new Map(this.#objects) };
  }

  /** Restores a snapshot including its revision, as after a restore from a backup: later commits are dropped. */
  restore({ revision, objects }: HistorySnapshot): void {
    this.#revision = revision;
    this.#compacted = revision;
    this.#commits = [];
    this.#objects = new Map(objects);
  }

  #commit(change: Omit<Commit, "revision">): Commit {
    const commit: Commit = { revision: ++this.#revision, ...change };
    if (commit.type === "DELETED") this.#objects.delete(commit.key);
    else this.#objects.set(commit.key, commit.object);
    this.#commits.push(commit);
    if (this.#commits.length >= 2 * this.#commitsMax) {
      this.#commits = this.#commits.slice(-this.#commitsMax);
      this.#compacted = (this.#commits[0]?.revision ?? 1) - 1;
    }
    return commit;
  }
}

/** Returns the same object at another version. */
export function atVersion(object: ScriptedObject, resourceVersion: string): ScriptedObject {
  return deepFreeze<ScriptedObject>({ ...object, metadata: { ...object.metadata, resourceVersion } }) as ScriptedObject;
}

function keyOf({ metadata: { namespace, name } }: KubeObject): string {
  return namespace === undefined || namespace === "" ? (name ?? "") : `${namespace}/${name ?? ""}`;
}
