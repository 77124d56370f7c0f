/** What objects use, computed once for each version of an object. */
import type { Amounts, QuotaEvaluator } from "@drover/api/quota";
import type { KubeObject } from "@drover/machinery";

/** Guarantees: returns what the evaluator returns now. Assumes that objects never change. */
export class UsageMemo {
  readonly #known = new WeakMap<object, Amounts>();

  of({ usage }: QuotaEvaluator, object: object): Amounts {
    const known = this.#known.get(object);
    if (known !== undefined) return known;
    const used = usage(object);
    // A pod that is being deleted stops to count after a while.
    if ((object as Partial<KubeObject>).metadata?.deletionTimestamp === undefined) this.#known.set(object, used);
    return used;
  }
}
