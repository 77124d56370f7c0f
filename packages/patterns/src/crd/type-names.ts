/**
 * Names of the types in one generated file: for each kind, its list, and each nested object.
 *
 *     WebApp → WebApp, WebAppList, WebAppSpec, WebAppSpecPorts …
 */
import { byText, typeWord } from "@drover/machinery";
import type { PrintedSchema } from "@drover/machinery";

/** Hands out unique type names. */
export class TypeNames {
  readonly #taken = new Set<string>();
  readonly #bySchema = new Map<PrintedSchema, string>();
  /** Named nested objects, in order of discovery. */
  readonly #parts: (readonly [name: string, schema: PrintedSchema])[] = [];

  /** All names handed out. */
  get taken(): ReadonlySet<string> {
    return this.#taken;
  }

  /** Returns a unique name, with a number appended if the wished one is taken. Names without a leading letter get the prefix "Type". */
  give(wished: string): string {
    const word = typeWord(wished);
    const plain = /^[A-Za-z]/.test(word) ? word : `Type${word}`;
    let name = plain;
    for (let count = 2; this.#taken.has(name); count++) name = `${plain}${count}`;
    this.#taken.add(name);
    return name;
  }

  /** Returns the name of an object with fields; undefined for anything else. */
  of(schema: PrintedSchema): string | undefined {
    return this.#bySchema.get(schema);
  }

  /** Names every object nested in a kind by its path, and returns the new names. */
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
