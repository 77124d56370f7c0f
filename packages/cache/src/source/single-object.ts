/**
 * Reads the response to a request for one object.
 *
 *     response → readSingleObject → ObjectVersion
 */
import { isApiError, isInstanceOf, isNotFound, isUnexpectedServerError, splitObjectKey } from "@drover/machinery";
import type { KubeObject, ObjectKey } from "@drover/machinery";
import { ProtobufError, decodeEnvelope, isEnvelope } from "@drover/machinery/protobuf";
import { ResponseError, decodeBody } from "@drover/client";
import type { ReadResponse, RequestAbout } from "@drover/client";
import type { MessageFormat } from "./message-format.ts";
import type { ObjectVersion } from "./object-version.ts";
import { tableRefused } from "./version-page.ts";
import type { VersionReader } from "./version-reader.ts";

/** Reads one object. Throws a `ResponseError` if the body is not of this resource, and a `PoisonObjectError` if it cannot be decoded. */
export function readSingleObject<T extends KubeObject>(
  answer: ReadResponse,
  about: RequestAbout,
  reader: VersionReader<T>,
  messages: MessageFormat | undefined,
): ObjectVersion<T> {
  const { body } = answer;
  if (messages !== undefined && typeof body !== "string" && isEnvelope(body))
    return reader.read(messageOf(body, about, messages), messages);
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  // What has no name is perhaps no object: an error, or a page of a proxy.
  return reader.lateJson(bytes) ?? reader.parsed(decodeBody(answer, about, { dropManagedFields: reader.dropManagedFields }));
}

/** Reports whether the server said that this object does not exist; one that does not know the resource says something else. */
export function isObjectMissing(error: unknown, key: ObjectKey): boolean {
  if (!isApiError(error) || !isNotFound(error) || isUnexpectedServerError(error)) return false;
  return error.status.details?.name === splitObjectKey(key).name;
}

function messageOf(body: Uint8Array, { attempt }: RequestAbout, format: MessageFormat): Uint8Array {
  try {
    const { message, ...names } = decodeEnvelope(body);
    if (names.kind === "Table") throw tableRefused(attempt);
    if (format.accepts(names)) return message;
    throw new ResponseError(attempt, "json", `expected one object, but the server answered with a ${names.kind || "nameless object"}`, {
      statusCode: 200,
    });
  } catch (error) {
    if (!isInstanceOf(error, ProtobufError)) throw error;
    throw new ResponseError(attempt, "json", `the response is not protobuf: ${error.message}`, { statusCode: 200, cause: error });
  }
}
