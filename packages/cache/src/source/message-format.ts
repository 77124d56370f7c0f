/**
 * The protobuf format of one resource.
 *
 *     target → messageFormat → MessageFormat
 */
import { apiVersionOf, isJsonObject } from "@drover/machinery";
import type { GroupVersionKind, JsonObject } from "@drover/machinery";
import { encodedTypeMeta, MessageProjection, peekMessage, peekMessageLabels } from "@drover/machinery/protobuf";
import type { Envelope } from "@drover/machinery/protobuf";
import type { FieldLimit } from "./field-limit.ts";
import type { ObjectFormat } from "./object-format.ts";

export interface MessageFormat extends ObjectFormat {
  /** Newest minor version of Kubernetes whose objects it decodes completely. */
  readonly newestMinor: number;
  /** What the envelope of an object says about its type. */
  readonly typeMeta: Uint8Array;
  /** Whether objects of a type can be decoded: a message does not say what its numbers mean. */
  readonly accepts: (type: TypeNames) => boolean;
  /** What is kept of messages. Undefined for whole objects. */
  readonly projection: MessageProjection | undefined;
}

type TypeNames = Pick<Envelope, "apiVersion" | "kind">;

/** CustomResourceDefinitions are stored as JSON, which can have empty lists. Protobuf has none, so that the objects would differ. */
const storedAsJson = "apiextensions.k8s.io";

const partial = { group: "meta.k8s.io", version: "v1", kind: "PartialObjectMetadata" } as const;

/**
 * Resolves with the format of a resource; undefined if its kind is not built in, so that the server has it only as JSON. Loads the tables
 * of all types, which programs without protobuf do not need.
 */
export async function messageFormat({
  target,
  projection,
  limit,
}: {
  readonly target: GroupVersionKind;
  readonly projection: "full" | "metadata";
  /** @default whole objects */
  readonly limit?: FieldLimit | undefined;
}): Promise<MessageFormat | undefined> {
  const { messageFields, MessagePlan, MessageReader, shapesMinor, structShape, typedShape } = await import("@drover/api/shapes");
  const named = projection === "full" ? target : partial;
  const shape = projection === "full" ? typedShape(target) : structShape("partial.PartialObjectMetadata");
  if (shape === undefined || (projection === "full" && target.group === storedAsJson)) return undefined;
  const wanted = { setsClaimTypes: true, ...(limit === undefined ? {} : { wanted: limit.tree }) };
  const [plan, sharing] = [MessagePlan.of(shape, wanted), MessagePlan.of(shape, { ...wanted, sharesParts: true })];
  const declared = limit === undefined ? undefined : new MessageProjection(messageFields(shape, limit.tree));
  const reader = new MessageReader();
  const { kind } = named;
  const apiVersion = apiVersionOf(named);
  return {
    name: "protobuf",
    newestMinor: shapesMinor,
    typeMeta: encodedTypeMeta({ apiVersion, kind }),
    // The metadata of a full object has the same number.
    accepts: (type) => [named, target].some((each) => type.kind === each.kind && type.apiVersion === apiVersionOf(each)),
    projection: declared,
    peek: (source, from, to, options) => peekMessage(source, from, to, options, declared),
    labels: peekMessageLabels,
    decode: (bytes, { dropManagedFields = false, willFreeze = false } = {}): JsonObject => {
      const object = reader.read(bytes, 0, bytes.length, willFreeze && !dropManagedFields ? sharing : plan, { kind, apiVersion });
      const { metadata } = object;
      if (dropManagedFields && isJsonObject(metadata)) delete metadata["managedFields"];
      return object;
    },
  };
}
