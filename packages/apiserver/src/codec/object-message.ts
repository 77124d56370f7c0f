/**
 * Encodes objects of built-in kinds, Statuses and lists as protobuf with their envelope.
 *
 *     object → encodeObject → bytes
 *     message of an object (MessageCodec) → encodeKind, encodeList → bytes
 */
import { commonMetadata } from "./common-metadata.ts";
import { apiVersionOf, assert, parseGroupVersion } from "@drover/machinery";
import { encodeEnvelope, ProtobufWriter } from "@drover/machinery/protobuf";
import type { GroupVersionKind, JsonObject, ListMeta } from "@drover/machinery";
import { structShape, typedShape } from "@drover/api/shapes";
import type { StructShape } from "@drover/api/shapes";
import { encodeMessage, writeMessage } from "./write-message.ts";

/** Encodes an object with its envelope. Assumes a built-in kind and an object in its shape. */
export const encodeObject = (object: JsonObject): Uint8Array => encodeKind(kindOf(object), objectMessage(object));

/** Encodes an object without its envelope. */
export const objectMessage = (object: JsonObject): Uint8Array => encodeMessage(object, shapeOf(kindOf(object)));

function kindOf({ apiVersion, kind }: JsonObject): GroupVersionKind {
  assert(typeof apiVersion === "string" && typeof kind === "string", "only an object with apiVersion and kind can be encoded");
  return { ...parseGroupVersion(apiVersion), kind };
}

/** Status exists in every group version; responses use v1. */
function shapeOf(kind: GroupVersionKind): StructShape {
  const shape = kind.kind === "Status" ? structShape("meta/v1.Status") : typedShape(kind);
  assert(shape !== undefined, `${apiVersionOf(kind)} ${kind.kind} has no protobuf form`);
  return shape;
}

/** Wraps an encoded object in its envelope. */
export const encodeKind = (kind: GroupVersionKind, message: Uint8Array): Uint8Array =>
  encodeEnvelope({ apiVersion: apiVersionOf(kind), kind: kind.kind, message });

/** Encodes a list from its encoded items. */
export function encodeList(list: GroupVersionKind, metadata: ListMeta, items: readonly Uint8Array[]): Uint8Array {
  const writer = new ProtobufWriter();
  // PartialObjectMetadataList of v1beta1 has its fields in reverse order.
  const isOld = list.group === "meta.k8s.io" && list.version === "v1beta1";
  const writeItems = (): void => items.forEach((item) => writer.bytes(isOld ? 1 : 2, item));
  if (isOld) writeItems();
  writer.message(isOld ? 2 : 1, (inner) => writeMessage(inner, { ...metadata }, structShape("meta/v1.ListMeta")));
  if (!isOld) writeItems();
  return encodeKind(list, writer.finish());
}

/** Encodes the metadata of an object, for PartialObjectMetadata. */
export function partialMessage(object: JsonObject): Uint8Array {
  const writer = new ProtobufWriter();
  writer.message(1, (inner) => writeMessage(inner, commonMetadata(object), structShape("meta/v1.ObjectMeta")));
  return writer.finish();
}
