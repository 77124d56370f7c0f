/**
 * Renders answers in the form the client wants.
 *
 *     Answer, RepresentationChoice → HttpResponse
 */
import { encodeJson, encodeWatchEvent } from "@drover/machinery";
import { protobufMediaType } from "@drover/machinery/protobuf";
import type { HttpBody, HttpResponse, JsonObject, ListMeta } from "@drover/machinery";
import { decodeJson } from "@drover/machinery";
import { printYaml } from "@drover/yaml";
import type { Resource } from "../registry/resource.ts";
import type { Answer } from "./answer.ts";
import type { ListItem, ObjectBody } from "../registry/object-body.ts";
import type { WatchFrame } from "../registry/watch-frames.ts";
import { indentJson } from "./indent-json.ts";
import { goTypeOf, partialMetadata, wrongNumber } from "./partial-metadata.ts";
import { renderMessage } from "./render-message.ts";
import type { RepresentationChoice } from "./representation.ts";
import { checkIncludeObject, tableOf } from "./table-answer.ts";
import type { TableOptions } from "./table-answer.ts";

/**
 * Returns the response. `now` is for ages, in milliseconds since 1970. Throws a 406 when the answer has no such form, and a 400
 * for an invalid includeObject.
 */
export function render(answer: Answer, choice: RepresentationChoice, now: () => number): HttpResponse {
  if (choice.shape === "table" && answer.kind !== "stream" && (answer.kind !== "value" || answer.table !== undefined))
    checkIncludeObject(choice.includeObject);
  if (choice.mediaType === protobufMediaType) return renderMessage(answer, choice);
  switch (answer.kind) {
    case "value":
      return respond(answer.code, valueText(answer, choice, now()), choice);
    case "object":
      return respond(answer.code, objectText(answer.resource, answer.body, choice, now()), choice);
    case "list":
      return respond(200, listText(answer.resource, answer.items, answer.metadata, choice, now()), choice);
    case "watch":
      return {
        status: 200,
        headers: { "content-type": "application/json" },
        body: answer.lines(linePrinter(answer.resource, choice, now)),
      };
    case "stream":
      return { status: 200, headers: { "content-type": answer.contentType }, body: answer.body };
    case "nothing":
      return { status: 204, headers: {}, body: "" };
    default:
      return answer;
  }
}

function respond(status: number, text: string, { mediaType, isPretty }: RepresentationChoice): HttpResponse {
  const body: HttpBody = mediaType === "application/yaml" ? printYaml(decodeJson(text)) : isPretty ? indentJson(text) : `${text}\n`;
  return { status, headers: { "content-type": mediaType }, body };
}

function objectText(
  resource: Resource,
  { text, object }: ObjectBody,
  { shape, version, includeObject }: RepresentationChoice,
  now: number,
): string {
  if (shape === "object") return text();
  if (shape === "metadata") return encodeJson(partialMetadata(object(), version));
  if (shape === "metadata-list") throw wrongNumber("PartialObjectMetadataList", goTypeOf(resource, ""));
  return rowText(resource, object(), { version, includeObject, now });
}

function valueText(
  { value, table }: Extract<Answer, { readonly kind: "value" }>,
  { shape, version, includeObject }: RepresentationChoice,
  now: number,
): string {
  if (shape === "table" && table !== undefined) return rowText({ table }, value, { version, includeObject, now });
  return encodeJson(shape === "metadata" && value["kind"] !== "Status" ? partialMetadata(value, version) : value);
}

/** A Table with one row. */
function rowText(printed: Pick<Resource, "table">, object: JsonObject, options: TableOptions): string {
  const { resourceVersion } = object["metadata"] as JsonObject;
  return encodeJson(tableOf(printed, [object], (resourceVersion === undefined ? {} : { resourceVersion }) as ListMeta, options));
}

function listText(
  resource: Resource,
  items: readonly ListItem[],
  metadata: ListMeta,
  { shape, version, includeObject }: RepresentationChoice,
  now: number,
): string {
  if (shape === "object") return wholeList(resource, items, metadata);
  if (shape === "metadata") throw wrongNumber("PartialObjectMetadata", goTypeOf(resource, "List"));
  const objects = items.map(({ object }) => object());
  if (shape === "table") return encodeJson(tableOf(resource, objects, metadata, { version, includeObject, now }));
  const partial = objects.map((object) => partialMetadata(object, version));
  return encodeJson({
    kind: "PartialObjectMetadataList",
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
    items: partial.length === 0 ? null : partial,
  });
}

/** Concatenates the texts of the items without parsing them. */
function wholeList({ kind, isCustom }: Resource, items: readonly ListItem[], metadata: ListMeta): string {
  const apiVersion = kind.group === "" ? kind.version : `${kind.group}/${kind.version}`;
  const texts = `"items":[${items.map(({ itemText }) => itemText()).join(",")}]`;
  if (!isCustom) return `${encodeJson({ kind: kind.listKind, apiVersion, metadata }).slice(0, -1)},${texts}}`;
  // Lists of custom resources always have `continue`, even if empty, and sorted keys.
  const tail = encodeJson({ kind: kind.listKind, metadata: { continue: "", ...metadata } }, { sortKeys: true });
  return `{"apiVersion":${encodeJson(apiVersion)},${texts},${tail.slice(1)}`;
}

/** Prints the events of one watch as lines. Not a generator, whose cost adds up with a thousand watchers. */
function linePrinter(
  resource: Resource,
  { shape, version, includeObject }: RepresentationChoice,
  now: () => number,
): (frame: WatchFrame) => string {
  if (shape === "object") return (frame) => frame.line();
  let hasHeaders = true;
  return (frame) => {
    const { type, body } = frame;
    if (type === "ERROR") return frame.line();
    const object = body.object();
    if (shape !== "table") return encodeWatchEvent(type, encodeJson(partialMetadata(object, version)));
    const { resourceVersion } = object["metadata"] as JsonObject;
    const table = tableOf(
      resource,
      [object],
      { resourceVersion: resourceVersion as string },
      { version, includeObject, now: now(), hasHeaders },
    );
    hasHeaders = false;
    return encodeWatchEvent(type, encodeJson(table));
  };
}
