/** Go's errors of unmarshalling a text into a type. */

/** The place of a value in Go's messages. */
export interface GoPlace {
  /** The struct that declares the field. */
  readonly struct: string;
  /** The path from the outermost value, without indexes. */
  readonly fields: readonly string[];
}

/** A value of the wrong type, or another failure in its own words. */
export class UnmarshalError extends Error {
  override readonly name = "UnmarshalError";
  readonly #mismatch: { readonly found: string; readonly goType: string } | undefined;
  readonly #place: GoPlace | undefined;

  private constructor(message: string, mismatch?: { readonly found: string; readonly goType: string }, place?: GoPlace) {
    super(message);
    this.#mismatch = mismatch;
    this.#place = place;
  }

  /** `found` is the value's description: "string", "number 1.5". */
  static mismatch(found: string, goType: string, place?: GoPlace): UnmarshalError {
    const where = place === undefined ? "value" : `struct field ${place.struct}.${place.fields.join(".")}`;
    return new UnmarshalError(`json: cannot unmarshal ${found} into Go ${where} of type ${goType}`, { found, goType }, place);
  }

  static plain(message: string): UnmarshalError {
    return new UnmarshalError(message);
  }

  /** Returns the error with its place prefixed by an outer one. Only mismatches have a place. */
  within(outer: GoPlace | undefined): UnmarshalError {
    if (this.#mismatch === undefined || outer === undefined) return this;
    const { found, goType } = this.#mismatch;
    return UnmarshalError.mismatch(found, goType, { struct: outer.struct, fields: [...outer.fields, ...(this.#place?.fields ?? [])] });
  }
}
