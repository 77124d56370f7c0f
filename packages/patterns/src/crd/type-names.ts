/**
 * The names of the types in one generated file: one for each kind and its list, and one for each object within.
 *
 *     WebApp → WebApp, WebAppList, WebAppSpec, WebAppSpecPorts …
 */
import { byText, typeWord } from "@drover/machinery";
import type { PrintedSchema } from "@drover/machinery";

/** Names that are given once. */
export class TypeNames {
  readonly #taken = new Set<string>();
  readonly #bySchema = new Map<PrintedSchema, string>();
  /** Each part once, in the order in which they are met. */
  readonly #parts: (readonly [name: string, schema: PrintedSchema])[] = [];

  /** Every name that was given. */
  get taken(): ReadonlySet<string> {
    return this.#taken;
  }

  /** A name that begins as wished; a number is added where it is taken. Words without a letter are of a type all the same. */
  give(wished: string): string {
    const word = typeWord(wished);
    const plain = /^[A-Za-z]/.test(word) ? word : `Type${word}`;
    let name = plain;
    for (let count = 2; this.#taken.has(name); count++) name = `${plain}${count}`;
    this.#taken.add(name);
    return name;
  }

  /** The name of an object with fields; undefined for anything else. */
  of(schema: PrintedSchema): string | undefined {
    return this.#bySchema.get(schema);
  }

  /** Names everything below a kind, by its path, and tells what was named. */
  nameParts({
    name,
    schema,
  }: {
    readonly name: string;
    readonly schema: PrintedSchema;
  }): readonly (readonly [name: string, schema: PrintedSchema])[] {
    const before = this.#parts.length;
    this.#bySchema.set(schema, name);
    this.#nameFields(schema, name, ["apiVersion", "kind", "metadata"]);
    return this.#parts.slice(before);
  }

  #nameFields({ properties = {} }: PrintedSchema, parent: string, except: readonly string[] = []): void {
    for (const [field, schema] of Object.entries(properties).toSorted(([a], [b]) => byText(a, b))) {
      if (!except.includes(field)) this.#nameValue(schema, `${parent}${typeWord(field)}`);
    }
  }

  #nameValue(schema: PrintedSchema, wished: string): void {
    if (this.#bySchema.has(schema)) return;
    if (hasFields(schema)) {
      const name = this.give(wished);
      this.#bySchema.set(schema, name);
      this.#parts.push([name, schema]);
      this.#nameFields(schema, name);
    }
    if (schema.items !== undefined) this.#nameValue(schema.items, wished);
    if (typeof schema.additionalProperties === "object") this.#nameValue(schema.additionalProperties, wished);
  }
}

const hasFields = ({ type, properties }: PrintedSchema): boolean => properties !== undefined && (type === undefined || type === "object");
