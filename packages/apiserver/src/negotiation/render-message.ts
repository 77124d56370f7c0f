/**
 * Renders answers in protobuf. Tables have no protobuf form; negotiation never chooses it for them.
 *
 *     Answer, RepresentationChoice → HttpResponse
 */
import { encodeWatchMessage, protobufMediaType, protobufWatchMediaType } from "@drover/machinery/protobuf";
import type { GroupVersionKind, HttpResponse, JsonObject } from "@drover/machinery";
import { encodeKind, encodeList, encodeObject, partialMessage } from "../codec/object-message.ts";
import type { Answer } from "./answer.ts";
import type { WatchFrame } from "../registry/watch-frames.ts";
import { goTypeOf, wrongNumber } from "./partial-metadata.ts";
import type { RepresentationChoice } from "./representation.ts";

type Shaped = Pick<RepresentationChoice, "shape" | "version">;

/** Throws a 406 when the answer has no such form. */
export function renderMessage(answer: Answer, choice: Shaped): HttpResponse {
  switch (answer.kind) {
    case "value":
      return respond(answer.code, encodeObject(answer.value));
    case "object":
      return respond(answer.code, objectBytes(answer, choice));
    case "list":
      return respond(200, listBytes(answer, choice));
    case "watch":
      return { status: 200, headers: { "content-type": protobufWatchMediaType }, body: answer.lines(framePrinter(choice)) };
    case "stream":
      return { status: 200, headers: { "content-type": answer.contentType }, body: answer.body };
    case "nothing":
    default:
      return { status: 204, headers: {}, body: "" };
  }
}

const respond = (status: number, body: Uint8Array): HttpResponse => ({ status, headers: { "content-type": protobufMediaType }, body });

const partialKind = (version: string, suffix: "" | "List"): GroupVersionKind => ({
  group: "meta.k8s.io",
  version,
  kind: `PartialObjectMetadata${suffix}`,
});

const encodePartial = (object: JsonObject, version: string): Uint8Array => encodeKind(partialKind(version, ""), partialMessage(object));

function objectBytes({ resource, body }: Extract<Answer, { readonly kind: "object" }>, { shape, version }: Shaped): Uint8Array {
  if (shape === "metadata-list") throw wrongNumber("PartialObjectMetadataList", goTypeOf(resource, ""));
  return shape === "metadata" ? encodePartial(body.object(), version) : encodeKind(resource.kind, body.message());
}

function listBytes({ resource, metadata, items }: Extract<Answer, { readonly kind: "list" }>, { shape, version }: Shaped): Uint8Array {
  if (shape === "metadata") throw wrongNumber("PartialObjectMetadata", goTypeOf(resource, "List"));
  if (shape === "metadata-list")
    return encodeList(
      partialKind(version, "List"),
      metadata,
      items.map(({ object }) => partialMessage(object())),
    );
  const { group, version: own, listKind } = resource.kind;
  return encodeList(
    { group, version: own, kind: listKind },
    metadata,
    items.map(({ message }) => message()),
  );
}

function framePrinter({ shape, version }: Shaped): (frame: WatchFrame) => Uint8Array {
  if (shape === "object") return (frame) => frame.bytes();
  return (frame) =>
    frame.type === "ERROR" ? frame.bytes() : encodeWatchMessage({ type: frame.type, object: encodePartial(frame.body.object(), version) });
}
