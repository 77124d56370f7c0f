/** Thrown when some children could not be adopted or released; the others were. */
import { errorBrand, errorText } from "@drover/machinery";
import type { DeepReadonly, KubeObject } from "@drover/machinery";

const brand = errorBrand<ClaimError>("ClaimError");

/** One error per failed child, in order. It is safe to retry: no child is half changed. */
export class ClaimError<Child extends KubeObject = KubeObject> extends AggregateError {
  static {
    brand.mark(this);
  }

  override readonly name = "ClaimError";
  /** Children that are ours despite the errors. */
  readonly claimed: readonly DeepReadonly<Child>[];

  constructor(errors: readonly unknown[], claimed: readonly DeepReadonly<Child>[]) {
    const words = [...new Set(errors.map(errorText))];
    super(errors, words.length === 1 ? words[0] : `[${words.join(", ")}]`);
    this.claimed = claimed;
  }
}

/** Reports whether the error is a `ClaimError`, also one of another copy of this package. */
export function isClaimError(error: unknown): error is ClaimError {
  return brand.is(error);
}
