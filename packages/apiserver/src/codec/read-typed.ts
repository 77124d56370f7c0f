/**
 * Reads a JSON text into a type exactly as Go does, with Go's error messages: the slow path for everything that `write-typed.ts`
 * does not handle.
 *
 *     well-formed text, Shape → readTyped → JSON value that fits the type, problems → writeStruct
 *
 * The result holds only what Go would keep: unknown fields are dropped, and duplicate members are merged into the earlier one.
 * Undefined stands for the zero value.
 */
import { isJsonObject, quoteGo, setOwn } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { canonicalBase64, encodeBase64 } from "./base64.ts";
import { JsonCursor } from "./json-cursor.ts";
import { readOwn } from "./read-own.ts";
import type { ListShape, MapShape, OwnShape, Shape, ShapeField, StructShape } from "@drover/api/shapes";
import { UnmarshalError } from "./unmarshal-error.ts";
import type { GoPlace } from "./unmarshal-error.ts";

export interface ReadOptions {
  /** Whether field names match case-insensitively. @default false */
  readonly foldsNames?: boolean;
}

export interface Read {
  readonly value: JsonValue | undefined;
  /** At most 100, without duplicates. */
  readonly problems: readonly string[];
}

/** Reads a well-formed text. Throws an `UnmarshalError`. */
export function readTyped(text: string, shape: Shape, { foldsNames = false }: ReadOptions = {}): Read {
  const reader = new TypedReader(text, foldsNames);
  return { value: reader.readWhole(shape), problems: reader.problems };
}

// Go's limit.
const problemsMax = 100;

/** One pass over one text. */
class TypedReader {
  readonly #cursor: JsonCursor;
  readonly #foldsNames: boolean;
  readonly #problems = new Set<string>();
  /** Path of the current value with indexes, for problems. */
  #path = "";
  #place: GoPlace | undefined;
  // Reported at the end: failures of types with their own unmarshaller come first.
  #firstError: UnmarshalError | undefined;

  constructor(text: string, foldsNames: boolean) {
    this.#cursor = new JsonCursor(text);
    this.#foldsNames = foldsNames;
  }

  get problems(): readonly string[] {
    return [...this.#problems];
  }

  readWhole(shape: Shape): JsonValue | undefined {
    const value = this.#read(shape, false, undefined);
    if (this.#firstError !== undefined) throw this.#firstError;
    return value;
  }

  #read(shape: Shape, pointer: boolean, old: JsonValue | undefined): JsonValue | undefined {
    const word = this.#cursor.peek();
    if (word === "null") return this.#readNull(shape, pointer, old);
    if (shape.kind === "own") return this.#readOwn(shape, old);
    if (word === "object" && shape.kind === "struct") return this.#readStruct(shape, old);
    if (word === "object" && shape.kind === "map") return this.#readMap(shape, old);
    if (word === "array" && shape.kind === "list") return this.#readList(shape, old);
    if (word === "array" && shape.kind === "bytes") return this.#readByteList();
    if (word === "string" && shape.kind === "string") return this.#cursor.string();
    if (word === "string" && shape.kind === "bytes") return this.#readBase64();
    if (word === "bool" && shape.kind === "bool") return this.#cursor.raw() === "true";
    const raw = this.#cursor.raw();
    if (word === "number" && (shape.kind === "int32" || shape.kind === "int64" || shape.kind === "float64"))
      return this.#readNumber(raw, shape.kind, shape.goType);
    return this.#refuse(word, shape.goType);
  }

  #readNull(shape: Shape, pointer: boolean, old: JsonValue | undefined): JsonValue | undefined {
    if (shape.kind === "own" && !pointer) return this.#readOwn(shape, old);
    this.#cursor.raw();
    // For other types null is ignored, and an earlier value stays.
    return pointer || shape.kind === "bytes" || shape.kind === "list" || shape.kind === "map" ? undefined : old;
  }

  #readOwn(shape: OwnShape, old: JsonValue | undefined): JsonValue | undefined {
    try {
      return readOwn(this.#cursor.raw(), shape, old, (raw, inner) => readTyped(raw, inner).value);
    } catch (error) {
      throw error instanceof UnmarshalError ? error.within(this.#place) : error;
    }
  }

  #readStruct(shape: StructShape, old: JsonValue | undefined): JsonObject {
    const object: JsonObject = isJsonObject(old) ? old : {};
    const [path, place] = [this.#path, this.#place];
    const seen = new Set<ShapeField>();
    this.#cursor.members((key) => {
      const field = this.#fieldOf(shape, key);
      if (field === undefined) {
        this.#report("unknown field", key);
        this.#cursor.raw();
        return;
      }
      if (seen.has(field)) this.#report("duplicate field", field.name);
      seen.add(field);
      this.#place = { struct: shape.goName, fields: [...(place?.fields ?? []), ...field.path] };
      this.#path = path === "" ? field.name : `${path}.${field.name}`;
      const value = this.#read(field.shape, field.pointer, object[field.name]);
      if (value === undefined) delete object[field.name];
      else object[field.name] = value;
      [this.#path, this.#place] = [path, place];
    });
    return object;
  }

  #fieldOf(shape: StructShape, key: string): ShapeField | undefined {
    const exact = shape.field(key);
    if (exact !== undefined || !this.#foldsNames) return exact;
    const folded = fold(key);
    return shape.fields.find(({ name }) => fold(name) === folded);
  }

  #readMap(shape: MapShape, old: JsonValue | undefined): JsonObject {
    const object: JsonObject = isJsonObject(old) ? old : {};
    const path = this.#path;
    const seen = new Set<string>();
    this.#cursor.members((key) => {
      if (seen.has(key)) this.#report("duplicate field", key);
      seen.add(key);
      this.#path = path === "" ? key : `${path}.${key}`;
      setOwn(object, key, this.#read(shape.item, false, undefined) ?? null);
      this.#path = path;
    });
    return object;
  }

  #readList(shape: ListShape, old: JsonValue | undefined): JsonValue[] {
    const before = Array.isArray(old) ? old : [];
    const list: JsonValue[] = [];
    const path = this.#path;
    this.#cursor.items((index) => {
      this.#path = `${path}[${index}]`;
      list.push(this.#read(shape.item, false, before[index] ?? undefined) ?? null);
      this.#path = path;
    });
    return list;
  }

  #readByteList(): string {
    const bytes: number[] = [];
    this.#cursor.items(() => {
      const word = this.#cursor.peek();
      const raw = this.#cursor.raw();
      const isByte = word === "number" && /^\d+$/.test(raw) && Number(raw) < 256;
      if (!isByte && word !== "null") this.#refuse(word === "number" ? `number ${raw}` : word, "uint8");
      bytes.push(isByte ? Number(raw) : 0);
    });
    return encodeBase64(Uint8Array.from(bytes));
  }

  #readBase64(): string | undefined {
    try {
      return canonicalBase64(this.#cursor.string());
    } catch (error) {
      this.#firstError ??= UnmarshalError.plain((error as Error).message);
      return undefined;
    }
  }

  #readNumber(raw: string, kind: "int32" | "int64" | "float64", goType: string): number | bigint | undefined {
    if (kind === "float64") return Number.isFinite(Number(raw)) ? Number(raw) : this.#refuse(`number ${raw}`, goType);
    const value = /^-?\d{1,19}$/.test(raw) ? BigInt(raw) : undefined;
    if (value === undefined || BigInt.asIntN(kind === "int32" ? 32 : 64, value) !== value) return this.#refuse(`number ${raw}`, goType);
    return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  }

  #refuse(found: string, goType: string): undefined {
    this.#firstError ??= UnmarshalError.mismatch(found, goType, this.#place);
    return undefined;
  }

  #report(what: "unknown field" | "duplicate field", name: string): void {
    if (this.#problems.size < problemsMax) this.#problems.add(`${what} ${quoteGo(this.#path === "" ? name : `${this.#path}.${name}`)}`);
  }
}

const fold = (name: string): string => name.toUpperCase().toLowerCase();
