/** `once(Secret, make)`: a slot whose object is made once, such as a generated password, and then kept. */
import type { Kind, KubeObject } from "@drover/machinery";
import type { Hold } from "./hold.ts";
import { MistakeError } from "./mistake-error.ts";
import type { StateContext } from "./operator-context.ts";
import type { DesiredChild, OnceSlot, Owns } from "./slot.ts";

/** What the object of a `once` slot is made from. */
export type OnceContext<Owner extends KubeObject = KubeObject> = Pick<
  StateContext<Owner, Owns>,
  "key" | "object" | "get" | "list" | "index"
>;

/**
 * Declares a slot for an object with values that must not change, such as random ones:
 *
 *     owns: { password: once(Secret, ({ object }) => ({ metadata: { name: `${object.metadata.name}-password` }, stringData: { … } })) }
 *
 * `make` is called while the object does not exist; `desired` has no value for the slot. It may return `hold(why)` or `undefined` to make
 * nothing yet. An object that exists is never changed, also if the answer to its creation was lost; it is deleted with its owner, and made
 * anew after it was deleted. The name must be the same each time.
 */
export function once<T extends KubeObject, Owner extends KubeObject = KubeObject>(
  kind: Kind<T>,
  make: (context: OnceContext<Owner>) => DesiredChild<NoInfer<T>> | Hold | undefined,
): OnceSlot<T> {
  if (typeof make !== "function")
    throw new MistakeError({
      where: `once(${kind.kind}, …)`,
      what: "the second argument is not a function",
      fix: `once(${kind.kind}, ({ object }) => ({ metadata: { name: object.metadata.name }, … }))`,
    });
  return { count: "one", of: kind, options: {}, make };
}
