/** The body of a PATCH in its four forms: parsed, and applied to a value. */
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  decodeJson,
  encodeJson,
  fieldInvalid,
  isJsonObject,
  JsonError,
  JsonPatchError,
  MergePatchError,
  newBadRequest,
  newFailure,
  newInvalid,
  newUnsupportedMediaType,
  parseJsonPatch,
  parseMergePatch,
  parsePatchContentType,
  parseStrategicMergePatch,
  patchContentType,
  printGo,
  quoteGo,
} from "@drover/machinery";
import type { FieldPath, FieldValidation, HttpHeaders, JsonObject, JsonValue, PatchType, Schema } from "@drover/machinery";
import { DecodeError } from "../codec/codec.ts";
import { readYamlBody } from "../codec/yaml-body.ts";
import type { Codec } from "../codec/codec.ts";
import type { Warnings } from "../request/warnings.ts";
import { firstHeader } from "../plain-request.ts";
import { StatusError } from "../status-error.ts";
import type { ChangingPatch, PatchDocument } from "./patch-forms.ts";
import { inPatchedOrder } from "./patched-order.ts";
import { judgeFields } from "./read-object.ts";

/** Returns the patch type. Throws a 415; custom resources do not support strategic merge. */
export function patchTypeOf(headers: HttpHeaders, isCustom: boolean): PatchType {
  const type = parsePatchContentType(firstHeader(headers, "content-type"));
  if (type !== undefined && !(isCustom && type === "strategic")) return type;
  if (!isCustom) throw new StatusError(newFailure(415, "UnsupportedMediaType", "415: Unsupported Media Type", {}));
  throw new StatusError(newUnsupportedMediaType((["json", "merge", "apply"] as const).map(patchContentType)));
}

/** Parses a patch. Throws a 400 or 413. */
export function readPatch(
  type: PatchType,
  text: string,
  { fieldValidation, warnings }: Pick<PatchTarget, "fieldValidation" | "warnings">,
): PatchDocument {
  if (type === "apply") return { type, document: readConfiguration(text, fieldValidation, warnings) };
  const problems: string[] = [];
  try {
    const document = decodeJson(text, { onDuplicateField: (path) => problems.push(`duplicate field ${quoteGo(path)}`) });
    if (type !== "json")
      return { type, problems, document: type === "merge" ? parseMergePatch(document) : parseStrategicMergePatch(document) };
    const { operations, unknownFields } = parseJsonPatch(document);
    return { type, operations, problems: [...problems, ...unknownFields] };
  } catch (error) {
    if (error instanceof JsonError)
      throw new StatusError(newBadRequest(type === "strategic" ? error.detail : `error decoding patch: ${error.detail}`));
    throw refusalOf(error);
  }
}

function readConfiguration(text: string, fieldValidation: FieldValidation | undefined, warnings: Warnings): JsonObject {
  const refuse = (why: string): StatusError => new StatusError(newBadRequest(`error decoding YAML: ${why}`));
  const { value, problems } = readYamlBody(text, (message) => refuse(`error converting YAML to JSON: ${message}`));
  judgeFields(
    problems,
    fieldValidation,
    warnings,
    (why) => new StatusError(newBadRequest(`error strict decoding YAML: error converting YAML to JSON: ${why}`)),
  );
  // An empty document is an empty configuration; later checks refuse it.
  if (value === null) return {};
  if (isJsonObject(value)) return value;
  throw refuse(
    `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${Array.isArray(value) ? "array" : typeof value === "bigint" ? "number" : typeof value === "boolean" ? "bool" : typeof value} into Go value of type map[string]interface {}`,
  );
}

export interface PatchTarget {
  readonly codec: Codec;
  /** Says how a strategic merge treats lists and maps. */
  readonly schema: Schema | undefined;
  readonly fieldValidation: FieldValidation | undefined;
  readonly warnings: Warnings;
  /** Receives the paths of maps that are empty in the result. @default nobody does */
  readonly emptyMaps?: Set<FieldPath>;
}

/** Returns a new object: the value with the patch applied, decoded as its kind. Throws a `StatusError`. */
export function applyDocument(
  current: JsonObject,
  patch: ChangingPatch,
  { codec, schema, fieldValidation, warnings, emptyMaps }: PatchTarget,
): JsonObject {
  const value = inPatchedOrder(layOver(current, patch, schema), patch);
  if (schema !== undefined && patch.type !== "strategic" && isNameless(value))
    return nothingOf(current, value, patch, { fieldValidation, warnings });
  const shown = (): string => (patch.type === "strategic" ? printGo(patch.document) : encodeJson(value, { escapeHtml: true }));
  try {
    const { object, problems, emptyMaps: emptied = [] } = codec.decodeValue(value);
    for (const path of emptied) emptyMaps?.add(path);
    judgeFields([...patch.problems, ...problems], fieldValidation, warnings, (why) =>
      invalidResult(shown(), `strict decoding error: ${why}`),
    );
    return object;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw invalidResult(shown(), patch.type === "strategic" ? valueProblem(error) : textProblem(error));
  }
}

/** Whether the result of a patch says neither kind nor version. */
const isNameless = (value: JsonValue): value is JsonObject => isJsonObject(value) && !value["kind"] && !value["apiVersion"];

/** kube-apiserver reads such a result into its internal type, whose fields have other names: it knows none of them. */
function nothingOf(
  { apiVersion = null, kind = null }: JsonObject,
  value: JsonObject,
  { problems }: ChangingPatch,
  { fieldValidation, warnings }: Pick<PatchTarget, "fieldValidation" | "warnings">,
): JsonObject {
  const unknown = Object.keys(value)
    .filter((name) => name !== "kind" && name !== "apiVersion")
    .toSorted()
    .map((name) => `unknown field ${quoteGo(name)}`);
  judgeFields([...problems, ...unknown], fieldValidation, warnings, (why) =>
    invalidResult(encodeJson(value, { escapeHtml: true }), `strict decoding error: ${why}`),
  );
  return { apiVersion, kind, metadata: {} };
}

function layOver(current: JsonObject, patch: ChangingPatch, schema: Schema | undefined): JsonValue {
  try {
    if (patch.type === "json") return applyJsonPatch(current, patch.operations);
    if (patch.type === "merge" || schema === undefined) return applyMergePatch(current, patch.document);
    // kube-apiserver merges into the fields of the Go type, which the kind is not one of.
    const { apiVersion = null, kind = null } = current;
    const merged = applyStrategicMergePatch(current, patch.document, schema);
    const isOther = isJsonObject(merged) && (merged["apiVersion"] !== apiVersion || merged["kind"] !== kind);
    return isOther ? { ...merged, apiVersion, kind } : merged;
  } catch (error) {
    throw refusalOf(error);
  }
}

/** The 422 of a patch whose result does not decode. kube-apiserver does not name the object here. */
function invalidResult(shown: string, why: string): StatusError {
  return new StatusError(newInvalid({ group: "", kind: "" }, "", [fieldInvalid("patch", shown, why)]));
}

const textProblem = ({ message }: DecodeError): string => message.replace(/^\S+ in version "[^"]*" cannot be handled as a \S+: /, "");

/** The decode error of a strategic merge or an apply, in kube-apiserver's words: it decodes those from a map instead of a text. */
export function valueProblem(error: DecodeError): string {
  const message = textProblem(error);
  if (message.startsWith("illegal base64 data")) return `error decoding from json: ${message}`;
  // Types with their own unmarshaller report errors in their own words.
  const [, found, type] = !message.includes("Go struct field") ? [] : (/cannot unmarshal (\w+)[^]* of type (\S+)$/.exec(message) ?? []);
  if (type === undefined) return message;
  if (type.startsWith("[]")) return `cannot restore slice from ${found === "object" ? "map" : (found ?? "")}`;
  if (type.startsWith("map[")) return `cannot restore map from ${found ?? ""}`;
  if (type === "string" && found === "number") return "cannot convert int64 to string";
  if (/^int\d+$/.test(type) && found === "number") return `cannot convert float64 to ${type}`;
  return found === "object" && /[A-Z]/.test(type) ? message : `unrecognized type: ${type}`;
}

const rejected = "the server rejected our request due to an error in our request";

function refusalOf(error: unknown): unknown {
  if (error instanceof JsonPatchError) {
    if (error.reason === "malformed") return new StatusError(newBadRequest(error.message));
    if (error.reason === "too-many-operations")
      return new StatusError(newFailure(413, "RequestEntityTooLarge", `Request entity too large: ${error.message}`));
    return new StatusError(newFailure(422, "Invalid", rejected, {}));
  }
  if (!(error instanceof MergePatchError)) return error;
  if (error.reason === "malformed") return new StatusError(newBadRequest(error.message));
  if (error.reason === "unprocessable") return new StatusError(newFailure(422, "Invalid", rejected, {}));
  return new StatusError(newFailure(500, "", error.message));
}
