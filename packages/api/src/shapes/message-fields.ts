/**
 * Declared fields by their protobuf numbers.
 *
 *     StructShape, FieldTree → messageFields → MessageFields → MessageProjection
 */
import type { FieldTree } from "@drover/machinery";
import type { MessageFields } from "@drover/machinery/protobuf";
import type { Shape, StructShape } from "./shape.ts";

/** Returns the numbers of the fields that are declared. A path that ends in a map or a type with its own format keeps all of it. */
export function messageFields(shape: StructShape, tree: FieldTree): MessageFields {
  const last = shape.message.at(-1)?.number ?? 0;
  // Without holes.
  const fields = Array.from({ length: last + 1 }, (): MessageFields[number] => undefined);
  for (const part of shape.message) {
    if ("embedded" in part) {
      const embedded = messageFields(part.embedded, tree);
      fields[part.number] = embedded.every((kept) => kept === undefined) ? undefined : embedded;
    } else {
      const wanted = tree.get(part.field.name);
      fields[part.number] = wanted === undefined || wanted === "whole" ? wanted : keptOf(itemOf(part.field.shape), wanted);
    }
  }
  return fields;
}

function keptOf(shape: Shape, tree: FieldTree): MessageFields[number] {
  return shape.kind === "struct" ? messageFields(shape, tree) : "whole";
}

/** Each item of a list is a field of its own; only lists in lists have a message around them, and are kept whole. */
const itemOf = (shape: Shape): Shape => (shape.kind === "list" ? shape.item : shape);
