import type { PodView } from "../shared/pod-state.ts";
import { ordinalOf } from "./pod-identity.ts";

/**
 * The wanted pods of a set by ordinal: those that exist, and which are missing. A set may want two thousand million pods, so missing
 * ones are never listed as a whole.
 */
export class SetMembers {
  /** Lowest ordinal first. */
  readonly existing: readonly PodView[];
  /** Number of wanted pods. */
  readonly count: number;
  readonly #start: number;
  readonly #byOrdinal: ReadonlyMap<number, PodView>;

  constructor({ start, count, byOrdinal }: { start: number; count: number; byOrdinal: ReadonlyMap<number, PodView> }) {
    this.#start = start;
    this.count = count;
    this.#byOrdinal = byOrdinal;
    this.existing = [...byOrdinal].toSorted(([a], [b]) => a - b).map(([, pod]) => pod);
  }

  get missing(): number {
    return this.count - this.existing.length;
  }

  /** Returns those from an index on, lowest ordinal first. */
  existingFrom(index: number): readonly PodView[] {
    return this.existing.filter((pod) => (ordinalOf(pod) ?? -1) >= this.#start + index);
  }

  /** Reports whether a pod behind this one is missing. */
  isMissingAfter(pod: PodView): boolean {
    const ordinal = ordinalOf(pod) ?? -1;
    const behind = this.existing.filter((each) => (ordinalOf(each) ?? -1) > ordinal).length;
    return behind < this.#start + this.count - ordinal - 1;
  }

  /** Returns all that exist and the first `max` missing ones, created by `create`; lowest ordinal first. Takes O(existing + max). */
  withFirstMissing(max: number, create: (ordinal: number) => PodView): readonly PodView[] {
    const pods = new Map(this.#byOrdinal);
    for (let ordinal = this.#start, created = 0; ordinal < this.#start + this.count && created < max; ordinal++) {
      if (pods.has(ordinal)) continue;
      pods.set(ordinal, create(ordinal));
      created++;
    }
    return [...pods].toSorted(([a], [b]) => a - b).map(([, pod]) => pod);
  }
}
