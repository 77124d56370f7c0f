/**
 * Reads one page of a list in protobuf.
 *
 *     response → readMessagePage → versions, resource version of the list, token of the next page
 */
import { ProtobufError, ProtobufReader, decodeEnvelope } from "@drover/machinery/protobuf";
import { isInstanceOf } from "@drover/machinery";
import type { KubeObject } from "@drover/machinery";
import { ResponseError } from "@drover/client";
import type { RequestAbout } from "@drover/client";
import type { MessageFormat } from "./message-format.ts";
import { Collected } from "./version-page.ts";
import type { VersionReader } from "./version-reader.ts";
import type { VersionPage } from "./version-source.ts";

/** Reads a page. Throws a `ResponseError` if the body is not a list of objects. */
export function readMessagePage<T extends KubeObject>(
  bytes: Uint8Array,
  { attempt }: RequestAbout,
  reader: VersionReader<T>,
  format: MessageFormat,
): VersionPage<T> {
  const refused = (problem: string, cause?: unknown): ResponseError =>
    new ResponseError(attempt, "json", problem, { statusCode: 200, ...(cause !== undefined && { cause }) });
  try {
    const { kind, message } = decodeEnvelope(bytes);
    if (!kind.endsWith("List")) throw refused(`expected a list with items, but the server answered with a ${kind || "nameless object"}`);
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
      const item = fields.bytes();
      collected.add(() => reader.read(item, format));
    } else fields.skip();
  }
  return { items: collected.items, poison: collected.poison, ...place };
}

type ListPlace = Pick<VersionPage<KubeObject>, "resourceVersion" | "continue">;

function readListMeta(fields: ProtobufReader): ListPlace {
  let [resourceVersion, token] = ["", ""];
  const outer = fields.enter();
  while (fields.next("ListMeta")) {
    if (fields.field === 2) resourceVersion = fields.string();
    else if (fields.field === 3) token = fields.string();
    else fields.skip();
  }
  fields.leave(outer);
  return { resourceVersion, continue: token === "" ? undefined : token };
}
