/**
 * Sees every step of a store in the turn in which it happens, before handlers merge steps of one key.
 *
 *     InformerCore → StoreFollower: this key had that version and has this one now
 *
 * For work that must not miss a state between two others, such as a label that changed twice.
 */
import type { KubeObject, ObjectKey } from "@drover/machinery";
import type { ObjectVersion } from "../source/object-version.ts";

/** One key that the store changed. */
export interface StoreStep<T extends KubeObject = KubeObject> {
  readonly key: ObjectKey;
  /** The version before; absent if the store did not have the key. */
  readonly before?: ObjectVersion<T> | undefined;
  /** The version now; absent if the store does not have the key any more. */
  readonly after?: ObjectVersion<T> | undefined;
  /** Version of the event; empty if a deletion was found by comparison with the server, so that its version is unknown. */
  readonly resourceVersion: string;
}

/** Must not throw or wait. The store already has the new state. */
export interface StoreFollower<T extends KubeObject = KubeObject> {
  stored(step: StoreStep<T>): void;
  /** A list replaced everything; `keys` are those that were added, changed or removed, perhaps several times meanwhile. */
  replaced(keys: readonly ObjectKey[], resourceVersion: string): void;
}

/** What a follower may read. */
export interface FollowedStore {
  /** Resource version up to which the store is complete; empty before the first list. */
  readonly resourceVersion: string;
  /** Ends the calls. */
  end(): void;
}
