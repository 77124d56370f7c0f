/**
 * Between what clients send and what the server works with: one per resource and version.
 *
 *     body → decodeBody → object in the kind's own shape, defaults set → strategy, admission → store
 *     result of a patch → decodeValue ↗
 */
import type { JsonObject, JsonValue } from "@drover/machinery";

/** The forms of bodies that are text. */
export type TextMediaType = "application/json" | "application/yaml";

/** What became of a body. The object is new: whoever decoded it may change it. */
export interface Decoded {
  readonly object: JsonObject;
  /**
   * What strict field validation refuses and other validation warns about, in order: `unknown field "spec.x"`,
   * `duplicate field "data.a"`.
   */
  readonly problems: readonly string[];
}

/**
 * Guarantees: an object that comes out has the shape of its kind, with `apiVersion` and `kind` filled in, and decoding it again changes
 * nothing. Reading throws a {@link DecodeError}.
 */
export interface Codec {
  readonly decodeBody: (text: string, mediaType: TextMediaType) => Decoded;
  readonly decodeValue: (value: JsonValue, options?: DecodeValueOptions) => Decoded;
  /** The object as it comes back from the store, whatever was put into it since it was decoded; it may be the same one. */
  readonly reshape: (object: JsonObject) => JsonObject;
  /** Protobuf. @default the kind has no such form, as custom resources have none */
  readonly messages?: MessageCodec;
}

/** The protobuf form of a kind. */
export interface MessageCodec {
  /** The body of a request: a message in its envelope. Throws a {@link DecodeError}. */
  readonly decodeBody: (bytes: Uint8Array) => Decoded;
  /** The message of an object that is in the shape of its kind, without an envelope. */
  readonly encode: (object: JsonObject) => Uint8Array;
}

export interface DecodeValueOptions {
  /**
   * Whether the nulls of a custom object stay that its schema does not allow and has no default for, so that validation
   * refuses them. @default false
   */
  readonly keepsNulls?: boolean;
}

/** A body that cannot be an object of the kind. */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
  /** Whether the answer says so in these words alone, without "X in version Y cannot be handled as a Z". */
  readonly bare: boolean;
  /** What the answer says, with those words, where fields are not to be validated: the server has another reader for that. */
  readonly unvalidated: string | undefined;

  constructor(message: string, { bare = false, unvalidated }: { readonly bare?: boolean; readonly unvalidated?: string } = {}) {
    super(message);
    this.bare = bare;
    this.unvalidated = unvalidated;
  }
}
