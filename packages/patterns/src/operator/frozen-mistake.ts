/** Somebody wrote to an object of the cache: what V8 says about it, in words that help. */
import { MistakeError } from "./mistake-error.ts";

/** What V8 says of frozen objects. */
const frozen = /read only property|Cannot add property|Cannot delete property|object is not extensible/;

/** Calls a function of an author; a write to what is frozen becomes a `MistakeError`, everything else is thrown as it is. */
export function asMistake<V>(where: string, work: () => V): V {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TypeError) || !frozen.test(error.message)) throw error;
    throw new MistakeError(
      {
        where,
        what: `it tried to change an object of the cache, which everybody reads: ${error.message}`,
        fix: "make a new one: const next = edit(object, (draft) => { draft.spec.replicas = 3; });\nor a copy with one field changed: { ...object.spec, replicas: 3 }",
      },
      { cause: error },
    );
  }
}
