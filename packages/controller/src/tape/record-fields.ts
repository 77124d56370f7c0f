/** Reads the fields of a JSON object with type checks. */
import { getOwn, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { TapeFormatError } from "./tape-format-error.ts";

/** Every method throws a `TapeFormatError` that names the field and the expected type. */
export class RecordFields {
  readonly #fields: JsonObject;
  readonly #where: string;

  constructor(value: unknown, where: string) {
    if (!isJsonObject(value as JsonValue)) throw new TapeFormatError(`${where} is not an object`);
    this.#fields = value as JsonObject;
    this.#where = where;
  }

  string(name: string): string {
    const value = getOwn(this.#fields, name);
    return typeof value === "string" ? value : this.#refuse(name, "a string");
  }

  number(name: string): number {
    const value = getOwn(this.#fields, name);
    return typeof value === "number" ? value : this.#refuse(name, "a number");
  }

  boolean(name: string): boolean {
    const value = getOwn(this.#fields, name);
    return typeof value === "boolean" ? value : this.#refuse(name, "true or false");
  }

  true(name: string): true {
    return getOwn(this.#fields, name) === true || this.#refuse(name, "true");
  }

  oneOf<T extends string>(name: string, words: readonly T[]): T {
    const value = getOwn(this.#fields, name);
    return words.find((word) => word === value) ?? this.#refuse(name, `one of ${words.join(", ")}`);
  }

  object(name: string): RecordFields {
    return new RecordFields(getOwn(this.#fields, name), `${this.#where}, ${name}`);
  }

  list<T>(name: string, parse: (item: RecordFields) => T): readonly T[] {
    const value = getOwn(this.#fields, name);
    if (!Array.isArray(value)) return this.#refuse(name, "a list");
    return value.map((item, index) => parse(new RecordFields(item, `${this.#where}, ${name}[${index}]`)));
  }

  /** Returns an object with the field if it is present, otherwise an empty object. */
  optional<N extends string, T>(name: N, read: (name: N) => T): { readonly [K in N]?: T } {
    return (Object.hasOwn(this.#fields, name) ? { [name]: read(name) } : {}) as { readonly [K in N]?: T };
  }

  #refuse(name: string, wanted: string): never {
    throw new TapeFormatError(`${this.#where}: ${name} must be ${wanted}, not ${JSON.stringify(getOwn(this.#fields, name)) ?? "absent"}`);
  }
}
