/**
 * Links the tables of Go types.
 *
 *     ShapeTable[] → ShapeBook → StructShape of a kind
 */
import { assert } from "@drover/machinery";
import type { GroupVersionKind } from "@drover/machinery";
import { parseGoFields, parseGoType } from "./go-type.ts";
import type { GoField, GoType, OwnName } from "./go-type.ts";
import { StructShape } from "./shape.ts";
import type { MessageField, Shape, ShapeField, StructParts } from "./shape.ts";
import type { ShapeTable } from "./tables/shape-table.ts";

/** The Go type of a kind. */
export interface RegisteredKind {
  /** "v1.Secret" */
  readonly goType: string;
  /** Undefined for lists, which are never bodies. */
  readonly shape: StructShape | undefined;
}

const ownPackages: Readonly<Record<OwnName, string>> = {
  Quantity: "resource",
  IntOrString: "intstr",
  Time: "v1",
  MicroTime: "v1",
  RawExtension: "runtime",
  FieldsV1: "v1",
  JSON: "v1",
  JSONSchemaPropsOrBool: "v1",
  JSONSchemaPropsOrArray: "v1",
  JSONSchemaPropsOrStringArray: "v1",
};

/** All tables, linked. Structs are created at once and parsed on first use. */
export class ShapeBook {
  readonly #tables: ReadonlyMap<string, ShapeTable>;
  readonly #structs: ReadonlyMap<string, StructShape>;
  readonly #kinds: ReadonlyMap<string, RegisteredKind>;

  constructor(tables: readonly ShapeTable[]) {
    this.#tables = new Map(tables.map((table) => [table.path, table]));
    const structs = new Map<string, StructShape>();
    const kinds = new Map<string, RegisteredKind>();
    for (const table of tables) {
      for (const [name, source] of Object.entries(table.types)) {
        if (!source.startsWith("="))
          structs.set(`${table.path}.${name}`, new StructShape(`${table.goName}.${name}`, name, () => this.#readStruct(source, table)));
      }
      if (table.kinds === "") continue;
      for (const kind of table.kinds.split(" "))
        kinds.set(`${table.group}/${table.version}/${kind}`, {
          goType: `${table.goName}.${kind}`,
          shape: structs.get(`${table.path}.${kind}`),
        });
    }
    this.#structs = structs;
    this.#kinds = kinds;
  }

  /** Undefined for a kind that is not built in. */
  registered({ group, version, kind }: GroupVersionKind): RegisteredKind | undefined {
    return this.#kinds.get(`${group}/${version}/${kind}`);
  }

  /** Returns a struct by its path in the tables: "meta/v1.ListMeta". */
  struct(path: string): StructShape {
    const struct = this.#structs.get(path);
    assert(struct !== undefined, `no table has the type ${path}`);
    return struct;
  }

  #readStruct(source: string, table: ShapeTable): StructParts {
    const fields: ShapeField[] = [];
    const message: MessageField[] = [];
    let last = 0;
    for (const part of parseGoFields(source)) {
      const { name, type } = part;
      const isEmbedded = part.mark === ">";
      const number = part.number ?? (isEmbedded ? 0 : last + 1);
      last = number === 0 ? last : number;
      if (isEmbedded) {
        const struct = this.#shape(type, table);
        assert(struct.kind === "struct", `${table.path}: ${struct.goType} is embedded but not a struct`);
        fields.push(...struct.fields.map((field) => ({ ...field, path: [name, ...field.path] })));
        if (number !== 0) message.push({ number, embedded: struct });
      } else {
        const field = this.#field(part, table);
        fields.push(field);
        if (number !== 0) message.push({ number, field });
      }
    }
    return { fields, message: message.toSorted((a, b) => a.number - b.number) };
  }

  #field({ name, mark, type }: GoField, table: ShapeTable): ShapeField {
    const pointer = type.kind === "pointer";
    const omit = mark === ":" ? "never" : mark === "?" ? "empty" : "empty-or-zero";
    return { name, shape: this.#shape(pointer ? type.item : type, table), pointer, omit, path: [name] };
  }

  /** `goType` is the name of a named type. */
  #shape(type: GoType, table: ShapeTable, goType?: string): Shape {
    assert(type.kind !== "pointer", `${table.path}: only fields can be pointers`);
    switch (type.kind) {
      case "bytes":
        return { kind: "bytes", goType: goType ?? "[]uint8" };
      case "list": {
        const item = this.#shape(type.item, table);
        return { kind: "list", goType: goType ?? `[]${item.goType}`, item };
      }
      case "map": {
        const item = this.#shape(type.item, table);
        return { kind: "map", goType: goType ?? `map[${this.#shape(type.key, table).goType}]${item.goType}`, item };
      }
      case "own":
        return this.#own(type.name);
      case "scalar":
        return { kind: type.name, goType: goType ?? type.name };
      case "named": {
        const [home, name] = this.#find(type.name, table);
        const struct = this.#structs.get(`${home.path}.${name}`);
        return struct ?? this.#shape(parseGoType((home.types[name] ?? "").slice(1)), home, `${home.goName}.${name}`);
      }
      default:
        return type;
    }
  }

  #own(name: OwnName): Shape {
    return {
      kind: "own",
      goType: `${ownPackages[name]}.${name}`,
      name,
      schema: name.startsWith("JSONSchema") ? this.#structs.get("apiextensions/v1.JSONSchemaProps") : undefined,
    };
  }

  /** Returns the table of a type, and its name there. */
  #find(type: string, table: ShapeTable): [ShapeTable, string] {
    const dot = type.lastIndexOf(".");
    const home = dot === -1 ? table : this.#tables.get(type.slice(0, dot));
    const name = type.slice(dot + 1);
    assert(home !== undefined && Object.hasOwn(home.types, name), `${table.path}: no table has the type ${type}`);
    return [home, name];
  }
}
