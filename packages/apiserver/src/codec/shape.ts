/** The Go type behind a piece of JSON, as far as reading and writing it goes. */
import type { OwnName, ScalarName } from "./go-type.ts";

export type Shape = ScalarShape | BytesShape | ListShape | MapShape | OwnShape | StructShape;

/** How Go prints the type in its messages: "int32", "v1.PodPhase", "[]v1.Container". */
interface Typed {
  readonly goType: string;
}

export interface ScalarShape extends Typed {
  readonly kind: ScalarName;
}

/** Text in base64. */
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

/** A type that reads and writes itself. */
export interface OwnShape extends Typed {
  readonly kind: "own";
  readonly name: OwnName;
  /** What stands inside those that may hold a schema. */
  readonly schema: StructShape | undefined;
}

export interface ShapeField {
  /** In JSON. */
  readonly name: string;
  readonly shape: Shape;
  /** Whether the field can be absent as such, so that an empty or zero value is kept. */
  readonly pointer: boolean;
  /** When the field is left out in writing; a struct that is there is never empty. */
  readonly omit: "never" | "empty" | "empty-or-zero";
  /** How Go's messages name the field: the structs it is embedded in, then its name. */
  readonly path: readonly string[];
}

/** A place in the message of a struct: one of its fields, or a message of its own for the fields of an embedded struct. */
export type MessageField = { readonly number: number } & ({ readonly field: ShapeField } | { readonly embedded: StructShape });

export interface StructParts {
  /** In the order in which Go writes them as JSON. */
  readonly fields: readonly ShapeField[];
  /** In the order in which Go writes them as protobuf: by their numbers. */
  readonly message: readonly MessageField[];
}

/** A struct; its fields are worked out when they are first asked for, so that kinds nobody uses cost nothing. */
export class StructShape implements Typed {
  readonly kind = "struct";
  readonly goType: string;
  /** Without the package. */
  readonly goName: string;
  readonly #makeParts: () => StructParts;
  #parts: StructParts | undefined;
  #byName: ReadonlyMap<string, ShapeField> | undefined;
  #byNumber: readonly (MessageField | undefined)[] | undefined;

  constructor(goType: string, goName: string, makeParts: () => StructParts) {
    this.goType = goType;
    this.goName = goName;
    this.#makeParts = makeParts;
  }

  /** In the order in which Go writes them. */
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

  /** What stands at a number of its message; undefined for those nobody knows. */
  at(number: number): MessageField | undefined {
    this.#byNumber ??= indexed(this.message);
    return this.#byNumber[number];
  }

  get #known(): StructParts {
    this.#parts ??= this.#makeParts();
    return this.#parts;
  }
}

function indexed(message: readonly MessageField[]): readonly (MessageField | undefined)[] {
  const byNumber: (MessageField | undefined)[] = [];
  for (const field of message) byNumber[field.number] = field;
  return byNumber;
}
