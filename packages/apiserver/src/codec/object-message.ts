/**
 * Objects of any built-in kind, Statuses among them, as protobuf in their envelope; and those forms of them that only answers have.
 *
 *     object → encodeObject → bytes
 *     message of an object (MessageCodec) → encodeKind, encodeList → bytes
 */
import { apiVersionOf, assert, encodeEnvelope, parseGroupVersion, ProtobufWriter } from "@drover/machinery";
import type { GroupVersionKind, JsonObject, ListMeta } from "@drover/machinery";
import type { StructShape } from "./shape.ts";
import { structShape, typedShape } from "./typed-shape.ts";
import { encodeMessage, writeMessage } from "./write-message.ts";

/** An object that says what it is, in its envelope. Assumes that the kind is built in and the object in its shape. */
export const encodeObject = (object: JsonObject): Uint8Array => encodeKind(kindOf(object), objectMessage(object));

/** The same without its envelope. */
export const objectMessage = (object: JsonObject): Uint8Array => encodeMessage(object, shapeOf(kindOf(object)));

function kindOf({ apiVersion, kind }: JsonObject): GroupVersionKind {
  assert(typeof apiVersion === "string" && typeof kind === "string", "an object says what it is before it is encoded");
  return { ...parseGroupVersion(apiVersion), kind };
}

/** Statuses are of every version, and of v1 in answers. */
function shapeOf(kind: GroupVersionKind): StructShape {
  const shape = kind.kind === "Status" ? structShape("meta/v1.Status") : typedShape(kind);
  assert(shape !== undefined, `${apiVersionOf(kind)} ${kind.kind} has no protobuf form`);
  return shape;
}

/** An object whose message is known. */
export const encodeKind = (kind: GroupVersionKind, message: Uint8Array): Uint8Array =>
  encodeEnvelope({ apiVersion: apiVersionOf(kind), kind: kind.kind, message });

/** A list of objects whose messages are known. */
export function encodeList(list: GroupVersionKind, metadata: ListMeta, items: readonly Uint8Array[]): Uint8Array {
  const writer = new ProtobufWriter();
  // The one list of metadata of an older version has its fields the other way round.
  const isOld = list.group === "meta.k8s.io" && list.version === "v1beta1";
  const writeItems = (): void => items.forEach((item) => writer.bytes(isOld ? 1 : 2, item));
  if (isOld) writeItems();
  writer.message(isOld ? 2 : 1, (inner) => writeMessage(inner, { ...metadata }, structShape("meta/v1.ListMeta")));
  if (!isOld) writeItems();
  return encodeKind(list, writer.finish());
}

/** The message of an object of which only the metadata is wanted. */
export function partialMessage(object: JsonObject): Uint8Array {
  const writer = new ProtobufWriter();
  writer.message(1, (inner) => writeMessage(inner, (object["metadata"] ?? {}) as JsonObject, structShape("meta/v1.ObjectMeta")));
  return writer.finish();
}
