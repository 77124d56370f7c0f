/** A handler that checks its changes: they must be valid, in order, and add up to the state of the server. */
import { compareResourceVersions } from "@drover/machinery";
import type { KubeObject } from "@drover/machinery";
import type { Change } from "../store/change.ts";

interface Known {
  readonly uid: string;
  readonly resourceVersion: string;
}

/** Records the changes that a handler receives. */
export class HandlerLedger {
  /** State according to the received changes. */
  readonly known: Map<string, Known> = new Map();
  /** Invalid changes: an addition of a known object, a deletion of an unknown one, or an older state. */
  readonly mistakes: string[] = [];
  /** "added shop/web uid-1 @2", in order. Bounded. */
  readonly told: string[] = [];
  /** Number of additions per uid; more than one is a mistake. */
  readonly #added = new Map<string, number>();
  count = 0;

  /** Records a change. Reads the object, so that decoding errors show. */
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
