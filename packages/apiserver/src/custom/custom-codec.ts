/**
 * Decodes objects of one version of a custom resource according to its schema.
 *
 *     text → JSON → metadata coerced → unknown fields pruned → nulls dropped → embedded metadata coerced → defaults set
 *
 * Objects of another kind or version keep all their fields here; validation refuses them later.
 */
import {
  apiVersionOf,
  coerceObjectMeta,
  compileSchema,
  decodeJson,
  deepCopy,
  dropNulls,
  encodeJson,
  isJsonObject,
  JsonError,
  parseGroupVersion,
  printFieldError,
  prune,
  quoteGo,
} from "@drover/machinery";
import type { CompiledSchema, CoerceOptions, FieldError, GroupVersionKind, JsonObject, JsonValue } from "@drover/machinery";
import { readBodyKind } from "../codec/body-kind.ts";
import { DecodeError } from "../codec/codec.ts";
import type { Codec, Decoded, DecodeValueOptions, TextMediaType } from "../codec/codec.ts";
import { countKeys } from "../codec/key-count.ts";
import { summarize } from "../codec/summary.ts";
import { UnmarshalError } from "../codec/unmarshal-error.ts";
import { readYamlBody } from "../codec/yaml-body.ts";
import type { Resource } from "../registry/resource.ts";
import { defaultsOfRead, defaultsOfWrite } from "./bounded-defaults.ts";
import type { OnExceeded } from "./jsonpath/first-value.ts";

export interface CustomCodecOptions {
  /** Conversion to and from the storage version. @default no conversion */
  readonly conversion?: Resource["conversion"];
  /** Called when defaults were left out or refused because of a budget. @default no callback */
  readonly onExceeded?: OnExceeded | undefined;
}

/** Returns the codec of a kind with this schema. */
export function customCodec(kind: GroupVersionKind, schema: CompiledSchema, { conversion, onExceeded }: CustomCodecOptions = {}): Codec {
  const codec = new CustomCodec(kind, schema, onExceeded ?? (() => undefined));
  return {
    decodeBody: (text, mediaType) => codec.decodeBody(text, mediaType),
    decodeValue: (value, options) => codec.decodeValue(value, options),
    reshape: (object) => (conversion === undefined ? object : conversion.fromStored(conversion.toStored(object))),
  };
}

/** An open schema: only the object itself is a resource. */
const anything: CompiledSchema = compileSchema({ type: "object" });
const nowhere: GroupVersionKind = { group: "", version: "", kind: "" };

interface ReadBody {
  readonly value: JsonValue;
  readonly problems: readonly string[];
}

class CustomCodec {
  readonly #kind: GroupVersionKind;
  readonly #apiVersion: string;
  readonly #schema: CompiledSchema;
  readonly #onExceeded: OnExceeded;

  constructor(kind: GroupVersionKind, schema: CompiledSchema, onExceeded: OnExceeded) {
    this.#onExceeded = onExceeded;
    this.#kind = kind;
    this.#apiVersion = apiVersionOf(kind);
    this.#schema = schema;
  }

  /** A body must name its kind and version; the endpoint supplies neither. */
  decodeBody(text: string, mediaType: TextMediaType): Decoded {
    const unrecognized = (message: string, unvalidated?: string): DecodeError =>
      new DecodeError(`the object provided is unrecognized (must be of type ${this.#kind.kind}): ${message} (${summarize(text)})`, {
        bare: true,
        ...(unvalidated === undefined ? {} : { unvalidated }),
      });
    const { value, problems } = mediaType === "application/yaml" ? readYamlBody(text, unrecognized) : this.#readJson(text, unrecognized);
    const object = this.#objectOf(value, text, unrecognized);
    const [kind, apiVersion] = [textOf(object["kind"]), textOf(object["apiVersion"])];
    const decoded = this.#coerce(
      object,
      problems,
      (message) =>
        new DecodeError(
          `${kind} in version ${quoteGo(parseGroupVersion(apiVersion).version)} cannot be handled as a ${this.#kind.kind}: ${message}`,
          { bare: true },
        ),
    );
    if (apiVersion === this.#apiVersion) return decoded;
    throw new DecodeError(`the API version in the data (${apiVersion}) does not match the expected API version (${this.#apiVersion})`, {
      bare: true,
    });
  }

  decodeValue(value: JsonValue, options?: DecodeValueOptions): Decoded {
    const failure = (message: string): DecodeError => new DecodeError(message);
    return this.#coerce(this.#objectOf(deepCopy(value), undefined, failure), [], failure, options);
  }

  #readJson(text: string, unrecognized: (message: string) => DecodeError): ReadBody {
    try {
      // A number with such an exponent may overflow to Infinity in the fast path.
      const value = /\d[eE]\+?\d{3}/.test(text) ? readExactly(text).value : decodeJson(text);
      return countMembers(value) === countKeys(text).keysMax ? { value, problems: [] } : readExactly(text);
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      if (error.reason !== "number") throw unrecognized(`couldn't get version/kind; json parse error: ${error.detail}`);
      throw new DecodeError(error.detail);
    }
  }

  /** Throws when the value does not name its kind. `text` is the body, if the value is a whole body. */
  #objectOf(value: JsonValue, text: string | undefined, failure: (message: string, unvalidated?: string) => DecodeError): JsonObject {
    if (isJsonObject(value) && value["kind"] === this.#kind.kind && value["apiVersion"] === this.#apiVersion) return value;
    const encoded = encodeJson(value);
    try {
      const { kind } = readBodyKind(encoded, nowhere);
      if (kind === "" || !isJsonObject(value))
        throw failure(...missingKind(text ?? encoded, text?.startsWith("{") === true ? text : encodeJson(value, { sortKeys: true })));
      return value;
    } catch (error) {
      throw error instanceof UnmarshalError ? failure(error.message) : error;
    }
  }

  #coerce(
    whole: JsonObject,
    problems: readonly string[],
    failure: (message: string) => DecodeError,
    { keepsNulls = false, isStored = false }: DecodeValueOptions = {},
  ): Decoded {
    if (whole["apiVersion"] === null) throw failure(".apiVersion accessor error: <nil> is of the type <nil>, expected string");
    const { value, unknown } = coerced(whole, anything, {}, (error) => failure(error.detail));
    const object = Object.hasOwn(value as JsonObject, "metadata") ? (value as JsonObject) : { ...(value as JsonObject), metadata: {} };
    const isMine = whole["kind"] === this.#kind.kind && whole["apiVersion"] === this.#apiVersion;
    if (!isMine) return { object, problems: [...problems, ...unknown.map(unknownField)] };
    const kept = prune(object, this.#schema);
    const embedded = coerced(keepsNulls ? kept.value : dropNulls(kept.value, this.#schema), this.#schema, { root: "part" }, (error) =>
      failure(printFieldError(error)),
    );
    const fields = [...unknown, ...kept.pruned, ...embedded.unknown];
    const setDefaults = isStored ? defaultsOfRead : defaultsOfWrite;
    return {
      object: setDefaults(embedded.value, this.#schema, this.#onExceeded),
      problems: fields.length === 0 ? problems : [...problems, ...fields.map(unknownField)],
    };
  }
}

function coerced(
  value: JsonValue,
  schema: CompiledSchema,
  options: CoerceOptions,
  failure: (error: FieldError) => DecodeError,
): { readonly value: JsonValue; readonly unknown: readonly string[] } {
  const result = coerceObjectMeta(value, schema, options);
  if ("detail" in result) throw failure(result);
  return result;
}

/** The message with and without field validation: without it, kube-apiserver prints YAML as the JSON it was converted to. */
const missingKind = (...shown: readonly [text: string, json: string]): [string, string] => [
  `Object 'Kind' is missing in '${shown[0]}'`,
  `Object 'Kind' is missing in '${shown[1]}'`,
];

const unknownField = (path: string): string => `unknown field "${path}"`;

const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

function readExactly(text: string): ReadBody {
  const problems: string[] = [];
  const value = decodeJson(text, { onDuplicateField: (path) => problems.push(`duplicate field "${path}"`) });
  return { value, problems };
}

/** Counts the members of all objects in a value. */
function countMembers(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += countMembers(item);
  else for (const key of Object.keys(value)) count += 1 + countMembers(value[key] ?? null);
  return count;
}
