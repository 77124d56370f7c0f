/** Thrown when some children could not be adopted or released; the others were. */
import type { DeepReadonly, KubeObject } from "@drover/machinery";

/** One error per failed child, in order. It is safe to retry: no child is half changed. */
export class ClaimError<Child extends KubeObject = KubeObject> extends AggregateError {
  override readonly name = "ClaimError";
  /** Children that are ours despite the errors. */
  readonly claimed: readonly DeepReadonly<Child>[];

  constructor(errors: readonly unknown[], claimed: readonly DeepReadonly<Child>[]) {
    const words = [...new Set(errors.map((error) => (error instanceof Error ? error.message : String(error))))];
    super(errors, words.length === 1 ? words[0] : `[${words.join(", ")}]`);
    this.claimed = claimed;
  }
}
