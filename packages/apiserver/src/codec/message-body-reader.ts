/**
 * Decodes the messages of request bodies.
 *
 *     bytes of a message, StructShape → MessageBodyReader → object as Go would write it
 */
import { isInstanceOf, Quantity, ValueSyntaxError } from "@drover/machinery";
import { ProtobufError } from "@drover/machinery/protobuf";
import type { JsonObject } from "@drover/machinery";
import { MessagePlan, MessageReader } from "@drover/api/shapes";
import type { StructShape } from "@drover/api/shapes";
import { canonicalQuantity } from "./bounded-quantity.ts";

/** Guarantees: an object in the shape of its kind, which `writeStruct` would not change. */
export class MessageBodyReader {
  readonly #reader = new MessageReader({ quantity });
  readonly #shape: StructShape;
  readonly #plan: MessagePlan;

  /** `shape` is that of most bodies. */
  constructor(shape: StructShape) {
    this.#shape = shape;
    this.#plan = MessagePlan.of(shape);
  }

  /** Decodes a whole message, behind what `into` has already. Throws a `ProtobufError` in Go's words. */
  read(bytes: Uint8Array, shape: StructShape, into: JsonObject): JsonObject {
    return this.#reader.read(bytes, 0, bytes.length, shape === this.#shape ? this.#plan : MessagePlan.of(shape), into);
  }
}

/** kube-apiserver parses the quantities of a body. */
function quantity(text: string): string {
  try {
    return canonicalQuantity(text, (given) => Quantity.parse(given));
  } catch (error) {
    throw isInstanceOf(error, ValueSyntaxError) ? new ProtobufError(error.message) : error;
  }
}
