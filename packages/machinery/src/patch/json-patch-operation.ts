/**
 * JSON Patch documents (RFC 6902): the operations, how they are read from the wire, and the error that names what went wrong.
 *
 *     JsonValue → parseJsonPatch → JsonPatchOperation[] → applyJsonPatch
 */
import { quoteGo } from "../go/go-quote.ts";
import { definedOnly } from "../json/defined-only.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { jsonKind } from "./json-kind.ts";

/** One step of a JSON patch. Paths are JSON pointers. */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: JsonValue }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly from: string; readonly path: string };

/** Why a JSON patch was refused. */
export type JsonPatchFailure =
  /** The document is not a list of operations; the server answers 400. */
  | "malformed"
  /** More operations than the server takes; it answers 413. */
  | "too-many-operations"
  /** What the copy operations add up to exceeds the budget; the server answers 422 to this and everything below. */
  | "copied-too-much"
  | "unknown-operation"
  | "missing-member"
  | "missing-path"
  | "invalid-index"
  | "invalid-root"
  | "test-failed";

/** A JSON patch that could not be read or applied. The message is, to the byte, the one the API server gives. */
export class JsonPatchError extends Error {
  override readonly name: string = "JsonPatchError";
  readonly reason: JsonPatchFailure;
  /** Position of the operation that failed; undefined when the document as a whole is refused. */
  readonly index: number | undefined;
  readonly op: string | undefined;
  readonly path: string | undefined;

  constructor(
    reason: JsonPatchFailure,
    message: string,
    operation: { readonly index?: number; readonly op?: string; readonly path?: string } = {},
  ) {
    super(message);
    this.reason = reason;
    this.index = operation.index;
    this.op = operation.op;
    this.path = operation.path;
  }
}

/** A JSON patch as it was read. */
export interface ParsedJsonPatch {
  /**
   * The operations as sent. Their members have the right types but may be missing, and `op` may be a word of the sender's own:
   * as on the server, that is for {@link applyJsonPatch} to refuse when it comes to it.
   */
  readonly operations: readonly JsonPatchOperation[];
  /** One text per unknown member: warnings, or errors under `fieldValidation=Strict`. */
  readonly unknownFields: readonly string[];
}

const textMembers: ReadonlySet<string> = new Set(["op", "path", "from"]);

/** Reads a JSON patch document; throws a {@link JsonPatchError} with reason "malformed" when it is not a list of operations. */
export function parseJsonPatch(document: JsonValue): ParsedJsonPatch {
  if (document === null) return { operations: [], unknownFields: [] };
  if (!Array.isArray(document)) throw malformed(`${jsonKind(document)} into Go value of type []handlers.jsonPatchOp`);
  const unknownFields: string[] = [];
  const operations = document.map((entry, index): JsonObject => {
    if (entry === null) return {};
    if (!isJsonObject(entry)) throw malformed(`${jsonKind(entry)} into Go value of type handlers.jsonPatchOp`, index);
    for (const [member, value] of Object.entries(entry)) {
      if (!textMembers.has(member)) {
        if (member !== "value") unknownFields.push(`json patch unknown field ${quoteGo(`[${index}].${member}`)}`);
      } else if (typeof value !== "string" && value !== null) {
        throw malformed(`${jsonKind(value)} into Go struct field jsonPatchOp.${member} of type string`, index);
      }
    }
    return entry;
  });
  return { operations: operations as unknown as readonly JsonPatchOperation[], unknownFields };
}

function malformed(what: string, index?: number): JsonPatchError {
  return new JsonPatchError("malformed", `error decoding patch: json: cannot unmarshal ${what}`, definedOnly({ index }));
}
