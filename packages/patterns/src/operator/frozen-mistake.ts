/** Turns V8's error about a write to a frozen (cached) object into a `MistakeError`. */
import { errorText, isInstanceOf } from "@drover/machinery";
import { MistakeError } from "./mistake-error.ts";

/** V8's messages about frozen objects. */
const frozen = /read only property|Cannot add property|Cannot delete property|object is not extensible/;

/** Calls a function of the author. A write to a frozen object becomes a `MistakeError`; other errors pass through. */
export function asMistake<V>(where: string, work: () => V): V {
  try {
    return work();
  } catch (error) {
    const problem = isInstanceOf(error, TypeError) ? errorText(error) : "";
    if (!frozen.test(problem)) throw error;
    throw new MistakeError(
      {
        where,
        what: `it tried to change a cached object, which is shared by all readers: ${problem}`,
        code: "DRV0410",
        fix: "create a new object: const next = edit(object, (draft) => { draft.spec.replicas = 3; });\nor a copy with one field changed: { ...object.spec, replicas: 3 }",
      },
      { cause: error },
    );
  }
}
