import { describe, expect, it } from "vitest";
import { decodeEnvelope, ProtobufReader } from "@drover/machinery/protobuf";
import type { JsonObject } from "@drover/machinery";
import { encodeList, encodeObject, partialMessage } from "./object-message.ts";
import { MessagePlan, MessageReader, structShape } from "@drover/api/shapes";

const decoded = (message: Uint8Array, type: string): JsonObject =>
  new MessageReader().read(message, 0, message.length, MessagePlan.of(structShape(type)));

/** Returns the fields of a message that contains only messages. */
function fieldsOf(bytes: Uint8Array): readonly (readonly [number, Uint8Array])[] {
  const fields: (readonly [number, Uint8Array])[] = [];
  for (const reader = new ProtobufReader(bytes); reader.next("List");) fields.push([reader.field, reader.bytes()]);
  return fields;
}

describe("encodeObject", () => {
  it("writes kind and version into the envelope", () => {
    expect(decodeEnvelope(encodeObject({ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a" } }))).toMatchObject({
      apiVersion: "apps/v1",
      kind: "Deployment",
    });
  });

  it("encodes Statuses", () => {
    const { apiVersion, kind, message } = decodeEnvelope(
      encodeObject({ kind: "Status", apiVersion: "v1", status: "Failure", code: 404, details: { name: "a", kind: "pods" } }),
    );
    expect([apiVersion, kind]).toEqual(["v1", "Status"]);
    expect(decoded(message, "meta/v1.Status")).toMatchObject({
      status: "Failure",
      code: 404,
      details: { name: "a", kind: "pods" },
    });
  });

  it("fails for kinds that are not built in", () => {
    expect(() => encodeObject({ apiVersion: "example.com/v1", kind: "Widget" })).toThrow("example.com/v1 Widget has no protobuf form");
  });
});

describe("encodeList", () => {
  const item = partialMessage({ metadata: { name: "a" } });

  it("writes metadata first, then items", () => {
    const { kind, message } = decodeEnvelope(
      encodeList({ group: "", version: "v1", kind: "PodList" }, { resourceVersion: "7" }, [item, item]),
    );
    const [first, ...items] = fieldsOf(message);
    expect([kind, decoded(first?.[1] ?? new Uint8Array(), "meta/v1.ListMeta")]).toMatchObject(["PodList", { resourceVersion: "7" }]);
    expect(items).toEqual([
      [2, item],
      [2, item],
    ]);
  });

  it("writes items first in PartialObjectMetadataList v1beta1", () => {
    const { message } = decodeEnvelope(
      encodeList({ group: "meta.k8s.io", version: "v1beta1", kind: "PartialObjectMetadataList" }, { resourceVersion: "7" }, [item]),
    );
    expect(fieldsOf(message).map(([number]) => number)).toEqual([1, 2]);
    expect(fieldsOf(message)[0]?.[1]).toEqual(item);
  });
});
