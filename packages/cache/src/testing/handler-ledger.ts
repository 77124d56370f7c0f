/** A handler that keeps account: what it was told must make sense, in order, and add up to what the server has. */
import { compareResourceVersions } from "@drover/machinery";
import type { KubeObject } from "@drover/machinery";
import type { Change } from "../store/change.ts";

interface Known {
  readonly uid: string;
  readonly resourceVersion: string;
}

/** Guarantees nothing; it only writes down. */
export class HandlerLedger {
  /** What there is, as far as it was told. */
  readonly known: Map<string, Known> = new Map();
  /** What must not be: told of as new although known, as gone although unknown, or in a state older than one before. */
  readonly mistakes: string[] = [];
  /** "added shop/web uid-1 @2", in order. Bounded. */
  readonly told: string[] = [];
  /** How often each uid was told of as new; more than once is a mistake. */
  readonly #added = new Map<string, number>();
  count = 0;

  /** Takes a change. Reads the object, so that what cannot be read shows. */
  readonly handle = (change: Change<KubeObject>): void => {
    const { type, key, uid, object } = change;
    const resourceVersion = object.metadata.resourceVersion ?? "";
    this.count++;
    if (this.told.length < 10_000)
      this.told.push(`${type} ${key} ${uid} @${resourceVersion}${type === "deleted" && change.isFinalStateUnknown ? " unknown" : ""}`);
    const before = this.known.get(key);
    this.#check(change, before, resourceVersion);
    if (type === "deleted") this.known.delete(key);
    else this.known.set(key, { uid, resourceVersion });
  };

  contents(): string[] {
    return [...this.known].map(([key, { uid, resourceVersion }]) => `${key} ${uid} @${resourceVersion}`).toSorted();
  }

  #check({ type, key, uid }: Change<KubeObject>, before: Known | undefined, resourceVersion: string): void {
    const at = `${type} ${key} ${uid} @${resourceVersion}`;
    if (type === "added") {
      if (before !== undefined) this.mistakes.push(`${at}: it was there`);
      const times = (this.#added.get(uid) ?? 0) + 1;
      this.#added.set(uid, times);
      if (times > 1) this.mistakes.push(`${at}: for the ${times}th time`);
      return;
    }
    if (before === undefined) this.mistakes.push(`${at}: it was not there`);
    else if (before.uid !== uid) this.mistakes.push(`${at}: what was there is ${before.uid}`);
    else if (compareResourceVersions(resourceVersion, before.resourceVersion) === -1)
      this.mistakes.push(`${at}: after @${before.resourceVersion}`);
  }
}
