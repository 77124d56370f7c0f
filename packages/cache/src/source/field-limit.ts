/**
 * The fields that a program declares: the objects of its informer have these and no others.
 *
 *     ["spec.nodeName"] → FieldLimit → peekOptions, MessagePlan (what is kept of bytes), kept (of decoded objects)
 *
 * What is kept are the bytes of the declared fields, cut out of the message or text on arrival and decoded on first access, like those of
 * whole objects. Decoding at once and keeping small objects was worse: of a Pod in protobuf three fields and the metadata take 0.7 KB as
 * bytes and 0.95 KB decoded, everything included, and an event that nobody reads would take three times as long.
 */
import { fieldTree, keptFields, withDeclaredFields } from "@drover/machinery";
import type { FieldTree, GroupVersionKind, JsonObject } from "@drover/machinery";

/** The cache needs them of every object. */
const always = ["apiVersion", "kind", "metadata"] as const;

export class FieldLimit {
  /** As declared, sorted, each once; frozen. */
  readonly fields: readonly string[];
  /** With those that every object keeps. */
  readonly tree: FieldTree;

  /** Throws a `TypeError` for a path that no object has. */
  constructor(fields: readonly string[]) {
    for (const field of fields as readonly unknown[])
      if (typeof field !== "string") throw new TypeError(`fields: expected paths such as "spec.nodeName", but one is ${typeof field}`);
    this.fields = sortedFields(fields);
    this.tree = fieldTree([...always, ...this.fields]);
  }

  /** Returns a new object with only the declared fields of a decoded one. */
  kept(object: JsonObject): JsonObject {
    return keptFields(object, this.tree);
  }

  /** Marks an object that has only the declared fields. Returns the same object. */
  marked<O extends object>(object: O): O {
    return withDeclaredFields(object, this.fields);
  }
}

/** Returns the fields in an order that does not depend on their declaration, each once. */
export function sortedFields(fields: readonly string[]): readonly string[] {
  return Object.freeze([...new Set(fields)].toSorted());
}

/**
 * Resolves if a built-in kind has the declared fields, else rejects with a `TypeError`. Custom resources may have any. Loads the tables of
 * all types, and so may end after the first list.
 */
export async function checkDeclared(target: GroupVersionKind, { fields }: FieldLimit): Promise<void> {
  const { checkFields, typedShape } = await import("@drover/api/shapes");
  const shape = typedShape(target);
  if (shape !== undefined) checkFields(target.kind, shape, fields);
}
