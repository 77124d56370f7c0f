/** Watch streams: lines do not depend on chunks, and what is read without parsing agrees with what is parsed. */
import {
  ByteLineSplitter,
  JsonError,
  LineError,
  LineSplitter,
  QueryError,
  ResourcePathError,
  WatchFrameError,
  decodeJson,
  decodeWatchEvent,
  deepCopy,
  encodeWatchEvent,
  formatContentType,
  isJsonObject,
  parseAccept,
  parseContentType,
  parseListOptions,
  parseQuery,
  parseResourcePath,
  peekIdentity,
  peekLabels,
  peekList,
  peekWatchEvent,
  requestInfo,
} from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { removeManagedFields } from "../../packages/machinery/src/json/managed-fields-cut.ts";
import { attempt, equal, holds } from "../expect.ts";
import type { Outcome } from "../expect.ts";
import { textOf } from "../parts.ts";
import type { FuzzTarget } from "../target.ts";

export const linesTarget: FuzzTarget = {
  name: "lines",
  perSecond: 2000,
  tokens: [
    [
      '{"type":"ADDED","object":{',
      '{"type":"BOOKMARK","object":',
      '"metadata":{',
      '"name":"a"',
      '"namespace":"b"',
      '"uid":"c"',
      '"resourceVersion":"1"',
    ],
    ['"managedFields":[{"manager":"m"}],', '"deletionTimestamp":"x"', '"labels":{"a":"b"}', '"items":[', "}}\n", "\r\n", '"\\u0041"', "\\"],
    ["/api/v1/namespaces/a/pods", "/apis/apps/v1/", "?watch=true&limit=5", "%2e", "application/json;q=0.5", ";as=Table;v=v1;g=meta.k8s.io"],
  ].flat(),
  run(input) {
    const lines = splitting(input);
    for (const line of lines.slice(0, 20)) event(line);
    list(input);
    urls(textOf(input));
  },
};

function splitting(input: Uint8Array): readonly Uint8Array[] {
  const whole = bytesIn([input]);
  // Cut into chunks whose sizes come from the input.
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < input.length;) {
    const size = 1 + ((input[at] ?? 0) % 13);
    chunks.push(input.subarray(at, at + size));
    at += size;
  }
  equal(bytesIn(chunks), whole, "byte lines do not depend on chunks");
  const [text, cut] = [attempt(() => textsIn([input]), LineError), attempt(() => textsIn(chunks), LineError)];
  holds("value" in text === "value" in cut, "chunks do not decide what is UTF-8");
  if ("value" in text && "value" in cut) {
    equal(cut.value, text.value, "lines do not depend on chunks");
    equal(whole.map(textOf), text.value, "both splitters find the same lines");
  }
  return whole;
}

function bytesIn(chunks: readonly Uint8Array[]): Uint8Array[] {
  const splitter = new ByteLineSplitter();
  const lines = chunks.flatMap((chunk) => splitter.push(chunk).map((line) => line.slice()));
  const rest = splitter.end();
  return rest === undefined ? lines : [...lines, rest];
}

function textsIn(chunks: readonly Uint8Array[]): string[] {
  const splitter = new LineSplitter();
  const lines = chunks.flatMap((chunk) => splitter.push(chunk));
  const rest = splitter.end();
  return rest === undefined ? lines : [...lines, rest];
}

function event(line: Uint8Array): void {
  const decoded = attempt(() => decodeWatchEvent<JsonObject>(line), WatchFrameError);
  const peeked = peekWatchEvent(line);
  if ("error" in decoded) return;
  const { type, object } = decoded.value;
  const again = decodeWatchEvent(encodeWatchEvent(type, textOf(line).trim() === "" ? "{}" : JSON.stringify(object, bigintAsText)));
  holds(again.type === type, "decodes the event it encodes");
  if (peeked === undefined || !isLastMember(line)) return;
  holds(peeked.type === type, "peeks the type", () => `${peeked.type} is not ${type}`);
  identity(peeked.object, object);
  equal(decodeJson(peeked.object.bytes), removeManagedFields(deepCopy(object)), "keeps the object without managed fields");
  const kept = peekWatchEvent(line, { keepManagedFields: true });
  if (kept !== undefined) equal(decodeJson(kept.object.bytes), object, "keeps the object with managed fields");
}

/** `peekWatchEvent` assumes that nothing follows the object. */
function isLastMember(line: Uint8Array): boolean {
  const keys = Object.keys(decodeJson(line) as JsonObject);
  return keys.every((key) => key === "type" || key === "object") && textOf(line).split('"object":').length === 2;
}

const bigintAsText = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value);

interface Identity {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly isTerminating: boolean;
}

function identity({ name, namespace, uid, resourceVersion, isTerminating }: Identity, object: JsonObject): void {
  const metadata = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  const own = (key: string): JsonValue => (Object.hasOwn(metadata, key) ? (metadata[key] ?? "") : "");
  equal([name, namespace, uid, resourceVersion], ["name", "namespace", "uid", "resourceVersion"].map(own), "peeks the identity");
  const deleted = own("deletionTimestamp");
  holds(
    isTerminating === (deleted !== "" && deleted !== null),
    "peeks the deletion",
    () => `${isTerminating} for ${JSON.stringify(deleted)}`,
  );
}

function list(input: Uint8Array): void {
  const peeked = peekList(input);
  const found = peekIdentity(input);
  const labels = peekLabels(input);
  const decoded: Outcome<JsonValue> = attempt(() => decodeJson(input), JsonError);
  if ("error" in decoded || !isJsonObject(decoded.value)) return;
  const { value } = decoded;
  if (found !== undefined) identity(found, value);
  const metadata = isJsonObject(value["metadata"]) ? value["metadata"] : {};
  if (labels !== undefined && labels.length > 0) equal(decodeJson(labels), metadata["labels"], "peeks the labels");
  if (peeked === undefined) return;
  const items: JsonValue[] = [];
  for (let at = 0; at < peeked.bounds.length; at += 2) items.push(decodeJson(input.subarray(peeked.bounds[at], peeked.bounds[at + 1])));
  equal(items, value["items"], "finds the items of a list");
  equal({ ...(decodeJson(peeked.envelope) as JsonObject), items: null }, { ...value, items: null }, "finds the rest of a list");
}

function urls(text: string): void {
  attempt(() => requestInfo("GET", text), ResourcePathError);
  attempt(() => parseResourcePath(text), ResourcePathError);
  const query = attempt(() => parseQuery(text), QueryError);
  if ("value" in query) attempt(() => parseListOptions(query.value), QueryError);
  parseAccept(text);
  const type = parseContentType(text);
  if (type !== undefined) equal(parseContentType(formatContentType(type)), type, "parses the content type it prints");
}
