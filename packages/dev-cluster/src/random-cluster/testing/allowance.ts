/**
 * What a controller may take for granted: a number out of an object's spec, as it is in every version of the spec that
 * the controller may still be
 * working on. One that is older than what its status says was observed is none of them.
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

/** Guarantees: `most` and `least` are of versions from the observed one on. */
export class Allowances {
  readonly #versions = new Map<string, readonly Version[]>();

  /** An object as it now is; the two numbers are what its spec allows at most and at least. */
  see({ metadata: { uid = "", generation = 0 }, status }: Versioned, most: number, least: number): void {
    const observed = status?.observedGeneration ?? 0;
    const known = (this.#versions.get(uid) ?? []).filter((version) => version.generation >= observed && version.generation !== generation);
    this.#versions.set(uid, [...known, { generation, most, least }]);
  }

  /** Infinity for an object that was never seen. */
  most(uid: string): number {
    return Math.max(...(this.#versions.get(uid)?.map(({ most }) => most) ?? [Infinity]));
  }

  /** 0 for an object that was never seen. */
  least(uid: string): number {
    return Math.min(...(this.#versions.get(uid)?.map(({ least }) => least) ?? [0]));
  }
}
