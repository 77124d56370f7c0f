/** Some children could not be adopted or released; the others were. */
import type { DeepReadonly, KubeObject } from "@drover/machinery";

/** One error per object that failed, in their order. Trying again is right: nothing is half done. */
export class ClaimError<Child extends KubeObject = KubeObject> extends AggregateError {
  override readonly name = "ClaimError";
  /** What is ours all the same. */
  readonly claimed: readonly DeepReadonly<Child>[];

  constructor(errors: readonly unknown[], claimed: readonly DeepReadonly<Child>[]) {
    const words = [...new Set(errors.map((error) => (error instanceof Error ? error.message : String(error))))];
    super(errors, words.length === 1 ? words[0] : `[${words.join(", ")}]`);
    this.claimed = claimed;
  }
}
