/**
 * What a controller may assume: a number from an object's spec, in every version of the spec that the controller may
 * still be working on. Versions older than the observed generation are excluded.
 */
interface Version {
  readonly generation: number;
  readonly most: number;
  readonly least: number;
}

export interface Versioned {
  readonly metadata: { readonly uid?: string; readonly generation?: number };
  readonly status?: { readonly observedGeneration?: number } | undefined;
}

/** Guarantees: `most` and `least` cover the versions from the observed one on. */
export class Allowances {
  readonly #versions = new Map<string, readonly Version[]>();

  /** The current object; the two numbers are the maximum and minimum that its spec allows. */
  see({ metadata: { uid = "", generation = 0 }, status }: Versioned, most: number, least: number): void {
    const observed = status?.observedGeneration ?? 0;
    const known = (this.#versions.get(uid) ?? []).filter((version) => version.generation >= observed && version.generation !== generation);
    this.#versions.set(uid, [...known, { generation, most, least }]);
  }

  /** Infinity for an unknown object. */
  most(uid: string): number {
    return Math.max(...(this.#versions.get(uid)?.map(({ most }) => most) ?? [Infinity]));
  }

  /** 0 for an unknown object. */
  least(uid: string): number {
    return Math.min(...(this.#versions.get(uid)?.map(({ least }) => least) ?? [0]));
  }
}
