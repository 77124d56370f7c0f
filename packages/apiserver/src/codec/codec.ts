/**
 * Converts between request bodies and objects, one codec per resource and version.
 *
 *     body → decodeBody → object in its kind's shape, defaults set → strategy, admission → store
 *     result of a patch → decodeValue ↗
 */
import type { FieldPath, JsonObject, JsonValue } from "@drover/machinery";

/** Text media types of bodies. */
export type TextMediaType = "application/json" | "application/yaml";

/** A decoded body. The object is new, and the caller may change it. */
export interface Decoded {
  readonly object: JsonObject;
  /**
   * Problems that strict field validation refuses and other validation warns about: `unknown field "spec.x"`, `duplicate field
   * "data.a"`.
   */
  readonly problems: readonly string[];
  /** Paths of maps that were sent empty; the object does not have them. @default none */
  readonly emptyMaps?: ReadonlySet<FieldPath>;
}

/**
 * Guarantees: a decoded object has the shape of its kind, with `apiVersion` and `kind` set, and decoding is idempotent. Decoding
 * throws a {@link DecodeError}.
 */
export interface Codec {
  readonly decodeBody: (text: string, mediaType: TextMediaType) => Decoded;
  readonly decodeValue: (value: JsonValue, options?: DecodeValueOptions) => Decoded;
  /** Returns the object as it would come back from the store, whatever was changed since it was decoded; possibly the same object. */
  readonly reshape: (object: JsonObject) => JsonObject;
  /** Protobuf. @default no protobuf form, as for custom resources */
  readonly messages?: MessageCodec;
}

/** The protobuf form of a kind. */
export interface MessageCodec {
  /** Decodes a request body: a message in its envelope. Throws a {@link DecodeError}. */
  readonly decodeBody: (bytes: Uint8Array) => Decoded;
  /** Encodes an object in the shape of its kind, without an envelope. */
  readonly encode: (object: JsonObject) => Uint8Array;
}

export interface DecodeValueOptions {
  /**
   * Whether to keep nulls of a custom object that its schema neither allows nor defaults, so that validation refuses them.
   * @default false
   */
  readonly keepsNulls?: boolean;
  /** Whether the value was read from the store, and must be served even when its defaults are too large. @default false */
  readonly isStored?: boolean;
}

/** A body that does not decode as its kind. */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
  /** Whether the message stands alone, without "X in version Y cannot be handled as a Z". */
  readonly bare: boolean;
  /** The message without field validation, for which kube-apiserver uses another decoder; it gets the same prefix. */
  readonly unvalidated: string | undefined;

  constructor(message: string, { bare = false, unvalidated }: { readonly bare?: boolean; readonly unvalidated?: string } = {}) {
    super(message);
    this.bare = bare;
    this.unvalidated = unvalidated;
  }
}
