/** The Go type of a JSON value, for reading and writing. */
import type { OwnName, ScalarName } from "./go-type.ts";

export type Shape = ScalarShape | BytesShape | ListShape | MapShape | OwnShape | StructShape;

/** The type as Go's messages print it: "int32", "v1.PodPhase", "[]v1.Container". */
interface Typed {
  readonly goType: string;
}

export interface ScalarShape extends Typed {
  readonly kind: ScalarName;
}

/** Bytes, in JSON as base64. */
export interface BytesShape extends Typed {
  readonly kind: "bytes";
}

export interface ListShape extends Typed {
  readonly kind: "list";
  readonly item: Shape;
}

export interface MapShape extends Typed {
  readonly kind: "map";
  readonly item: Shape;
}

/** A type with its own (un)marshaller. */
export interface OwnShape extends Typed {
  readonly kind: "own";
  readonly name: OwnName;
  /** The schema struct, for types that contain one. */
  readonly schema: StructShape | undefined;
}

export interface ShapeField {
  /** Name in JSON. */
  readonly name: string;
  readonly shape: Shape;
  /** Whether Go's field is a pointer, so that an empty or zero value is kept. */
  readonly pointer: boolean;
  /** When the field is omitted in writing; a struct is never empty. */
  readonly omit: "never" | "empty" | "empty-or-zero";
  /** The field as Go's messages name it: the embedded structs, then the name. */
  readonly path: readonly string[];
}

/** A field of a protobuf message: a field of the struct, or a message for an embedded struct. */
export type MessageField = { readonly number: number } & ({ readonly field: ShapeField } | { readonly embedded: StructShape });

export interface StructParts {
  /** In Go's JSON order. */
  readonly fields: readonly ShapeField[];
  /** In Go's protobuf order: by number. */
  readonly message: readonly MessageField[];
}

/** A struct; its fields are resolved on first use, so that unused kinds cost nothing. */
export class StructShape implements Typed {
  readonly kind = "struct";
  readonly goType: string;
  /** Without the package. */
  readonly goName: string;
  readonly #makeParts: () => StructParts;
  #parts: StructParts | undefined;
  #byName: ReadonlyMap<string, ShapeField> | undefined;

  constructor(goType: string, goName: string, makeParts: () => StructParts) {
    this.goType = goType;
    this.goName = goName;
    this.#makeParts = makeParts;
  }

  /** In Go's JSON order. */
  get fields(): readonly ShapeField[] {
    return this.#known.fields;
  }

  /** By number. */
  get message(): readonly MessageField[] {
    return this.#known.message;
  }

  field(name: string): ShapeField | undefined {
    this.#byName ??= new Map(this.fields.map((field) => [field.name, field]));
    return this.#byName.get(name);
  }

  get #known(): StructParts {
    this.#parts ??= this.#makeParts();
    return this.#parts;
  }
}
