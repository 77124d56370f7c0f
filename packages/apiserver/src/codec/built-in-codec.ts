/**
 * The codec of a built-in kind: decodes bodies as kube-apiserver does into its Go types, and writes objects as it does.
 *
 *     text → decodeJson → writeStruct ─────────────────→ setDefaults → object
 *             not as expected ↘ readTyped → writeStruct ↗
 *     bytes → decodeEnvelope → MessageBodyReader ──────↗
 */
import { apiVersionOf, assert, decodeJson, encodeJson, isJsonObject, JsonError, quoteGo } from "@drover/machinery";
import { decodeEnvelope, ProtobufError } from "@drover/machinery/protobuf";
import type { GroupVersionKind, JsonObject, JsonValue } from "@drover/machinery";
import { envelopeKind, internalPackage, isSameStoredKind, notRegistered, readBodyKind } from "./body-kind.ts";
import { DecodeError } from "./codec.ts";
import type { Codec, Decoded, TextMediaType } from "./codec.ts";
import { emptyMapsOf } from "./empty-maps.ts";
import { countKeys } from "./key-count.ts";
import { MessageBodyReader } from "./message-body-reader.ts";
import { readTyped } from "./read-typed.ts";
import { registeredKind, typedShape } from "@drover/api/shapes";
import type { RegisteredKind, StructShape } from "@drover/api/shapes";
import { summarize } from "./summary.ts";
import { newTally } from "./tally.ts";
import type { Tally } from "./tally.ts";
import { UnmarshalError } from "./unmarshal-error.ts";
import { isAnswer, unservedKind } from "./unserved-kind.ts";
import { encodeMessage } from "./write-message.ts";
import { writeStruct } from "./write-typed.ts";
import { readYamlBody } from "./yaml-body.ts";

/**
 * Returns the codec of a kind, or of a body that is not stored: Scale, Eviction, TokenRequest, DeleteOptions. `setDefaults`
 * changes the object.
 */
export function builtInCodec(kind: GroupVersionKind, setDefaults: (object: JsonObject) => void): Codec {
  const shape = typedShape(kind);
  assert(shape !== undefined, `${apiVersionOf(kind)} ${kind.kind} is not built in`);
  const codec = new BuiltInCodec(kind, shape, setDefaults);
  return {
    decodeBody: (text, mediaType) => codec.decodeBody(text, mediaType),
    decodeValue: (value) => codec.decodeValue(value),
    reshape: (object) => codec.reshape(object),
    messages: { decodeBody: (bytes) => codec.decodeMessage(bytes), encode: (object) => encodeMessage(object, shape) },
  };
}

/** Whether parsing lost nothing of the text: duplicate keys, `1.0` for 1, a quantity with escaped digits, a lone surrogate. */
function isAsItSeems(text: string, { keys, listedIntegers, quantities }: Tally): boolean {
  if (listedIntegers || (quantities && text.includes("\\u00")) || /\\u[dD]/.test(text)) return false;
  const { keysMax, hasFraction } = countKeys(text);
  return !hasFraction && keysMax === keys;
}

/** Evictions may come in the version of the first clients that sent them; the fields are the same. */
const isOldEviction = ({ group, version, kind }: GroupVersionKind): boolean =>
  group === "policy" && version === "v1beta1" && kind === "Eviction";

class BuiltInCodec {
  readonly #kind: GroupVersionKind;
  readonly #apiVersion: string;
  readonly #shape: StructShape;
  readonly #setDefaults: (object: JsonObject) => void;
  /** DeleteOptions exist in every group version, never cause warnings, and fail with messages of their own. */
  readonly #isOptions: boolean;
  /** Made for the first body, because most servers get few kinds in protobuf. */
  #messages: MessageBodyReader | undefined;

  constructor(kind: GroupVersionKind, shape: StructShape, setDefaults: (object: JsonObject) => void) {
    this.#kind = kind;
    this.#apiVersion = apiVersionOf(kind);
    this.#shape = shape;
    this.#setDefaults = setDefaults;
    this.#isOptions = kind.group === "meta.k8s.io";
  }

  decodeBody(text: string, mediaType: TextMediaType): Decoded {
    if (mediaType === "application/yaml") return this.#decodeYaml(text);
    const value = this.#parse(text);
    return this.#decodeFast(value, text) ?? this.#decodeExactly(text);
  }

  decodeValue(value: JsonValue): Decoded {
    return this.#decodeFast(value, undefined) ?? this.#decodeExactly(encodeJson(value));
  }

  reshape(object: JsonObject): JsonObject {
    const tally = newTally({ isStoring: true });
    const written = writeStruct(object, this.#shape, tally, this.#newObject());
    assert(!tally.surprised, `an object no longer has the shape of its kind ${this.#kind.kind}`);
    return written;
  }

  /** kube-apiserver converts YAML to JSON with sorted keys first, so problems are reported in that order. */
  #decodeYaml(body: string): Decoded {
    const { value, problems } = readYamlBody(body, (message) => this.#unrecognized(message, body));
    const { object, problems: others } =
      this.#decodeFast(value, undefined) ?? this.#decodeExactly(encodeJson(value, { sortKeys: true }), body);
    return { object, problems: this.#isOptions ? [] : [...problems, ...others] };
  }

  /** Undefined where only the exact reader can report the problem. */
  #parse(text: string): JsonValue | undefined {
    try {
      return decodeJson(text);
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      if (error.reason === "number") return undefined;
      throw this.#unrecognized(`couldn't get version/kind; json parse error: ${error.detail}`, text);
    }
  }

  /** Decodes a value that is as expected throughout; undefined for everything else. */
  #decodeFast(value: JsonValue | undefined, text: string | undefined): Decoded | undefined {
    if (
      !isJsonObject(value) ||
      (value["kind"] ?? this.#kind.kind) !== this.#kind.kind ||
      (value["apiVersion"] ?? this.#apiVersion) !== this.#apiVersion
    )
      return undefined;
    const tally = newTally();
    const object = writeStruct(value, this.#shape, tally, this.#newObject());
    if (tally.surprised) return undefined;
    return text === undefined || isAsItSeems(text, tally) ? this.#finish(object, [], tally.emptiedMap ? value : undefined) : undefined;
  }

  /** `text` is well-formed JSON; `body` is what the client sent, if that differs. */
  #decodeExactly(text: string, body: string = text): Decoded {
    const kind = this.#asClient(
      () => readBodyKind(text, this.#kind),
      (message) => this.#unrecognized(message, body),
    );
    if (kind.version === "") throw this.#refused(kind, `Object 'apiVersion' is missing in '${body}'`);
    const { value, problems } = this.#readAs(kind, (shape) => readTyped(text, shape));
    const tally = newTally();
    const read = isJsonObject(value) ? value : {};
    const object = writeStruct(read, this.#shape, tally, this.#newObject());
    assert(!tally.surprised, `a decoded ${this.#kind.kind} does not have the shape of its kind`);
    return this.#finish(object, problems, tally.emptiedMap ? read : undefined);
  }

  decodeMessage(body: Uint8Array): Decoded {
    const envelope = this.#asClient(
      () => decodeEnvelope(body),
      (error) => this.#unrecognized(error, body),
    );
    const messages = (this.#messages ??= new MessageBodyReader(this.#shape));
    const object = this.#readAs(envelopeKind(envelope, this.#kind), (shape) =>
      messages.read(envelope.message, shape, { kind: this.#kind.kind, apiVersion: this.#apiVersion }),
    );
    return this.#finish(object, []);
  }

  /** Decodes a body as the kind it names. A body of another kind is decoded as such before it is refused. */
  #readAs<T>(kind: GroupVersionKind, read: (shape: StructShape) => T): T {
    const isMine = kind.kind === this.#kind.kind && (this.#isOptions || this.#isMyVersion(kind));
    const registered = isMine ? { goType: this.#shape.goType, shape: this.#shape } : this.#registered(kind);
    if (registered === undefined) throw this.#refused(kind, notRegistered(kind));
    const { shape, goType } = registered;
    if (shape === undefined) throw this.#otherKind(kind, goType);
    const value = this.#asClient(
      () => read(shape),
      (message) => this.#refused(kind, message),
    );
    if (!isMine) throw this.#otherKind(kind, goType);
    return value;
  }

  /** kube-apiserver serves apiextensions and apiregistration from separate schemes, which know only their own kinds. */
  #registered(kind: GroupVersionKind): RegisteredKind | undefined {
    if (isAnswer(kind)) return unservedKind(kind);
    if (this.#isOptions) return undefined;
    const isApart = (group: string): boolean => group === "apiextensions.k8s.io" || group === "apiregistration.k8s.io";
    const isKnown = kind.group === this.#kind.group || (!isApart(kind.group) && !isApart(this.#kind.group));
    return isKnown ? (registeredKind(kind) ?? unservedKind(kind)) : undefined;
  }

  #isMyVersion({ group, version }: GroupVersionKind): boolean {
    if (group !== this.#kind.group) return false;
    return version === this.#kind.version || isOldEviction({ group, version, kind: this.#kind.kind });
  }

  #otherKind(kind: GroupVersionKind, goType: string): DecodeError {
    if (isSameStoredKind(kind, this.#kind)) {
      return new DecodeError(
        `the API version in the data (${apiVersionOf(kind)}) does not match the expected API version (${this.#apiVersion})`,
        { bare: true },
      );
    }
    return this.#refused(kind, `converting (${goType}) to (${internalPackage(this.#kind.group)}.${this.#kind.kind}): unknown conversion`);
  }

  #newObject(): JsonObject {
    return { apiVersion: this.#apiVersion, kind: this.#kind.kind };
  }

  /** `sent` is given if it had an empty map, which the object lacks. */
  #finish(object: JsonObject, problems: readonly string[], sent?: JsonObject): Decoded {
    object["apiVersion"] = this.#apiVersion;
    object["kind"] = this.#kind.kind;
    this.#setDefaults(object);
    return { object, problems: this.#isOptions ? [] : problems, ...(sent === undefined ? {} : { emptyMaps: emptyMapsOf(sent) }) };
  }

  #asClient<T>(read: () => T, failure: (message: string) => DecodeError): T {
    try {
      return read();
    } catch (error) {
      throw error instanceof UnmarshalError || error instanceof ProtobufError ? failure(error.message) : error;
    }
  }

  /** The error of a body whose kind is unknown. */
  #unrecognized(message: string, body: string | Uint8Array): DecodeError {
    if (this.#isOptions) return new DecodeError(message, { bare: true });
    return new DecodeError(`the object provided is unrecognized (must be of type ${this.#kind.kind}): ${message} (${summarize(body)})`, {
      bare: true,
    });
  }

  /** The error of a body that names its kind. */
  #refused(kind: GroupVersionKind, message: string): DecodeError {
    if (this.#isOptions) return new DecodeError(message, { bare: true });
    if (kind.kind === this.#kind.kind && kind.version === this.#kind.version) return new DecodeError(message);
    return new DecodeError(`${kind.kind} in version ${quoteGo(kind.version)} cannot be handled as a ${this.#kind.kind}: ${message}`, {
      bare: true,
    });
  }
}
