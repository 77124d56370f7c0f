/**
 * JSON Patch documents (RFC 6902): operations, parsing and errors.
 *
 *     JsonValue → parseJsonPatch → JsonPatchOperation[] → applyJsonPatch
 */
import { quoteGo } from "../go/go-quote.ts";
import { definedOnly } from "../json/defined-only.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { jsonKind } from "./json-kind.ts";

/** One operation of a JSON patch. Paths are JSON pointers. */
export type JsonPatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: JsonValue }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly from: string; readonly path: string };

/** Why a JSON patch was refused. */
export type JsonPatchFailure =
  /** The document is not a list of operations; the server responds with 400. */
  | "malformed"
  /** More operations than the server allows; it responds with 413. */
  | "too-many-operations"
  /** The copy operations exceed the budget; the server responds with 422 to this and everything below. */
  | "copied-too-much"
  | "unknown-operation"
  | "missing-member"
  | "missing-path"
  | "invalid-index"
  | "invalid-root"
  | "test-failed";

/** A JSON patch that could not be parsed or applied. The message is exactly the API server's. */
export class JsonPatchError extends Error {
  override readonly name: string = "JsonPatchError";
  readonly reason: JsonPatchFailure;
  /** Index of the failed operation; undefined when the whole document is refused. */
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

/** A parsed JSON patch. */
export interface ParsedJsonPatch {
  /**
   * The operations as sent. Members have the right types but may be missing, and `op` may be unknown: as on the server, {@link
   * applyJsonPatch} refuses that when it gets there.
   */
  readonly operations: readonly JsonPatchOperation[];
  /** One text per unknown member: warnings, or errors under `fieldValidation=Strict`. */
  readonly unknownFields: readonly string[];
}

const textMembers: ReadonlySet<string> = new Set(["op", "path", "from"]);

/** Parses a JSON patch document. Throws a {@link JsonPatchError} with reason "malformed" when it is not a list of operations. */
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
