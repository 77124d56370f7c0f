/**
 * Reads one page of a list in protobuf.
 *
 *     response → readMessagePage → versions, resource version of the list, token of the next page
 */
import { ApiError, isInstanceOf, parseStatus } from "@drover/machinery";
import { ProtobufError, ProtobufReader, bytesType, decodeEnvelope, decodeStatusMessage } from "@drover/machinery/protobuf";
import type { KubeObject } from "@drover/machinery";
import { ResponseError } from "@drover/client";
import type { RequestAbout } from "@drover/client";
import type { MessageFormat } from "./message-format.ts";
import { Collected, tableRefused } from "./version-page.ts";
import type { VersionReader } from "./version-reader.ts";
import type { VersionPage } from "./version-source.ts";

/** Reads a page. Throws an `ApiError` for an error, and a `ResponseError` if the body is not a list of objects of the resource. */
export function readMessagePage<T extends KubeObject>(
  bytes: Uint8Array,
  { attempt }: RequestAbout,
  reader: VersionReader<T>,
  format: MessageFormat,
): VersionPage<T> {
  const refused = (problem: string, cause?: unknown): ResponseError =>
    new ResponseError(attempt, "json", problem, { statusCode: 200, ...(cause !== undefined && { cause }) });
  try {
    const { kind, apiVersion, message } = decodeEnvelope(bytes);
    const status = kind === "Status" ? parseStatus(decodeStatusMessage(bytes)) : undefined;
    // Some proxies send an error with status 200.
    if (status !== undefined && status.status !== "Success") throw new ApiError(status, { code: 200, attempt });
    if (kind === "Table") throw tableRefused(attempt);
    if (!kind.endsWith("List") || !format.accepts({ apiVersion, kind: kind.slice(0, -"List".length) }))
      throw refused(`expected a list with items, but the server answered with a ${kind || "nameless object"}`);
    // Every list has metadata: without a message the response was truncated, and looks like an empty list.
    if (message.length === 0) throw refused("the response is not protobuf: unexpected EOF");
    return readList(message, reader, format);
  } catch (error) {
    if (!isInstanceOf(error, ProtobufError)) throw error;
    throw refused(`the response is not protobuf: ${error.message}`, error);
  }
}

function readList<T extends KubeObject>(message: Uint8Array, reader: VersionReader<T>, format: MessageFormat): VersionPage<T> {
  const collected = new Collected<T>();
  let place: ListPlace = { resourceVersion: "", continue: undefined };
  const fields = new ProtobufReader(message);
  while (fields.next("List")) {
    if (fields.field === 1) place = readListMeta(fields);
    else if (fields.field === 2) {
      fields.expect(bytesType, "Items");
      const item = fields.bytes();
      collected.add(() => reader.read(item, format));
    } else fields.skip();
  }
  return { items: collected.items, poison: collected.poison, ...place };
}

type ListPlace = Pick<VersionPage<KubeObject>, "resourceVersion" | "continue">;

function readListMeta(fields: ProtobufReader): ListPlace {
  let [resourceVersion, token] = ["", ""];
  fields.expect(bytesType, "ListMeta");
  const outer = fields.enter();
  while (fields.next("ListMeta")) {
    if (fields.field === 2) {
      fields.expect(bytesType, "ResourceVersion");
      resourceVersion = fields.string();
    } else if (fields.field === 3) {
      fields.expect(bytesType, "Continue");
      token = fields.string();
    } else fields.skip();
  }
  fields.leave(outer);
  return { resourceVersion, continue: token === "" ? undefined : token };
}
