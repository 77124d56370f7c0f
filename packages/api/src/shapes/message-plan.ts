/**
 * How to read messages of a type: what each field number means, and which fields its JSON has.
 *
 *     StructShape (and the fields that are wanted) → MessagePlan → message-reader.ts
 */
import { bytesType, fixed64Type, varintType } from "@drover/machinery/protobuf";
import { budget } from "@drover/machinery";
import type { FieldTree, JsonObject, JsonValue } from "@drover/machinery";
import { zeroOfOwn } from "./go-type.ts";
import { MemoBudget, MessageMemo } from "./message-memo.ts";
import type { MessageField, OwnShape, Shape, ShapeField, StructShape } from "./shape.ts";

/** What a value is in protobuf. A number, because the reader branches on it for every value. */
export const readString = 0;
export const readBool = 1;
export const readInt32 = 2;
export const readInt64 = 3;
export const readFloat64 = 4;
export const readBytes = 5;
export const readStruct = 6;
export const readOwn = 7;
/** A list as the value of a map: a message with nothing else in it. */
export const readWrapped = 8;

/** How to read one value: a field, an item of a list, a value of a map. */
export interface ValuePlan {
  readonly read: number;
  readonly wireType: number;
  /** Of a struct. */
  readonly plan: MessagePlan | undefined;
  /** What a struct begins with in JSON and lacks in protobuf: the type of an object inside an object. */
  readonly typeMeta: { readonly kind?: string; readonly apiVersion?: string } | undefined;
  /** Shares equal structs; undefined if they are not shared. */
  readonly memo: MessageMemo | undefined;
  /** Of a type with its own format. */
  readonly own: OwnShape | undefined;
  /** Of a schema inside such a type. */
  readonly schema: MessagePlan | undefined;
  /** Of a wrapped list. */
  readonly item: ValuePlan | undefined;
  /** Go's name of the type, for errors. */
  readonly goType: string;
}

/** How to read one field number. Embedded structs have the same members, so that the engine sees one class. */
export interface FieldPlan {
  /** In JSON. */
  readonly name: string;
  /** Position among the fields in JSON. */
  readonly slot: number;
  readonly holds: "one" | "list" | "map";
  /** Its value, or that of each item or entry. */
  readonly value: ValuePlan;
  /** Whether a zero value is left out. */
  readonly omitsZero: boolean;
  /** Whether null is left out. */
  readonly omitsNull: boolean;
  /** Whether the JSON has it in any case. */
  readonly isRequired: boolean;
  /** A new value for a required field that the message lacks. */
  readonly zero: () => JsonValue;
  /** A struct whose fields are fields of the outer one in JSON, and a message of its own in protobuf; `slot` is that of its first field. */
  readonly embedded: MessagePlan | undefined;
}

interface PlanParts {
  readonly fields: readonly FieldPlan[];
  readonly byNumber: readonly (FieldPlan | undefined)[];
  readonly requiredCount: number;
}

export interface MessagePlanOptions {
  /** The fields that are read; everything else is skipped. @default all */
  readonly wanted?: FieldTree;
  /** Whether equal parts of objects are the same value, so that the reader's objects must not be changed. @default false */
  readonly sharesParts?: boolean;
  /**
   * Whether the claims of a StatefulSet get their kind and apiVersion. Protobuf lacks them, and the API server's JSON has them: they are
   * set as defaults. @default false
   */
  readonly setsClaimTypes?: boolean;
}

/** What all plans of one root have in common. */
interface SharedByPlans {
  /** The plans of structs that are read whole. */
  readonly whole: Map<StructShape, MessagePlan>;
  /** Undefined if parts are not shared. */
  readonly budget: MemoBudget | undefined;
  readonly setsClaimTypes: boolean;
}

/** For one root: one informer. */
const sharedParts = budget({
  name: "api/shared-parts",
  limit: 2 * 1024 * 1024,
  unit: "bytes",
  atLimit: "Further parts of objects are decoded again instead of being shared.",
  uncounted: "Nothing is refused or lost.",
});

/** The plan of one struct; made on first use, so that unused types cost nothing. */
export class MessagePlan {
  /** Go's name of the struct, for errors. */
  readonly goName: string;
  readonly #shape: StructShape;
  readonly #wanted: FieldTree | undefined;
  readonly #shared: SharedByPlans;
  #parts: PlanParts | undefined;
  /** Makes empty objects; see {@link plainClass}. */
  readonly Plain: new () => JsonObject = plainClass();

  private constructor(shape: StructShape, wanted: FieldTree | undefined, shared: SharedByPlans) {
    this.goName = shape.goName;
    this.#shape = shape;
    this.#wanted = wanted;
    this.#shared = shared;
  }

  /** Returns the plan of a struct. */
  static of(shape: StructShape, { wanted, sharesParts = false, setsClaimTypes = false }: MessagePlanOptions = {}): MessagePlan {
    const memoBudget = sharesParts ? new MemoBudget(sharedParts.limit) : undefined;
    return MessagePlan.#of(shape, wanted, { whole: new Map(), budget: memoBudget, setsClaimTypes });
  }

  static #of(shape: StructShape, wanted: FieldTree | undefined, shared: SharedByPlans): MessagePlan {
    if (wanted !== undefined) return new MessagePlan(shape, wanted, shared);
    const known = shared.whole.get(shape) ?? new MessagePlan(shape, undefined, shared);
    shared.whole.set(shape, known);
    return known;
  }

  /** Whether equal parts of objects are the same value. */
  get sharesParts(): boolean {
    return this.#shared.budget !== undefined;
  }

  /** In JSON's order. */
  get fields(): readonly FieldPlan[] {
    return this.#known.fields;
  }

  /** Number of fields that the JSON has in any case. */
  get requiredCount(): number {
    return this.#known.requiredCount;
  }

  /** By number; undefined for a field that is unknown or not wanted. */
  get byNumber(): readonly (FieldPlan | undefined)[] {
    return this.#known.byNumber;
  }

  /** Returns the fields of an object in JSON's order, with zero values for missing ones. */
  completed(object: JsonObject): JsonObject {
    const result = new this.Plain();
    for (const { name, isRequired, zero } of this.fields) {
      const value = object[name];
      if (value !== undefined) result[name] = value;
      else if (isRequired) result[name] = zero();
    }
    return result;
  }

  get #known(): PlanParts {
    this.#parts ??= this.#make();
    return this.#parts;
  }

  #make(): PlanParts {
    const fields: FieldPlan[] = [];
    const slots = new Map<string, FieldPlan>();
    for (const field of this.#shape.fields) {
      const wanted = this.#wanted === undefined ? undefined : this.#wanted.get(field.name);
      if (this.#wanted !== undefined && wanted === undefined) continue;
      const plan = this.#fieldPlan(field, fields.length, wanted === "whole" ? undefined : wanted);
      fields.push(plan);
      slots.set(field.name, plan);
    }
    // Without holes.
    const last = this.#shape.message.at(-1)?.number ?? 0;
    const byNumber: (FieldPlan | undefined)[] = Array.from({ length: last + 1 }, () => undefined);
    for (const part of this.#shape.message) byNumber[part.number] = this.#part(part, slots);
    return { fields, byNumber, requiredCount: fields.filter(({ isRequired }) => isRequired).length };
  }

  #part(part: MessageField, slots: ReadonlyMap<string, FieldPlan>): FieldPlan | undefined {
    if ("field" in part) return slots.get(part.field.name);
    const embedded = MessagePlan.#of(part.embedded, this.#wanted, this.#shared);
    const [first] = embedded.fields;
    const outer = first === undefined ? undefined : slots.get(first.name);
    return outer === undefined ? undefined : { ...outer, embedded };
  }

  #fieldPlan({ name, shape, pointer, omit }: ShapeField, slot: number, wanted: FieldTree | undefined): FieldPlan {
    const holds = shape.kind === "list" || shape.kind === "map" ? shape.kind : "one";
    const value = this.#valuePlan(shape.kind === "list" || shape.kind === "map" ? shape.item : shape, wanted);
    const isOwn = shape.kind === "own";
    const isRequired = omit === "never" || (!pointer && (shape.kind === "struct" || (isOwn && omit === "empty")));
    return {
      name,
      slot,
      holds,
      value,
      omitsZero: !pointer && omit !== "never" && !isOwn && shape.kind !== "struct",
      omitsNull: omit !== "never" && isOwn && (pointer || omit === "empty-or-zero"),
      isRequired,
      zero: () => (pointer ? null : zeroOf(shape, value)),
      embedded: undefined,
    };
  }

  #valuePlan(shape: Shape, wanted: FieldTree | undefined): ValuePlan {
    const plans = {
      plan: undefined,
      typeMeta: undefined,
      memo: undefined,
      own: undefined,
      schema: undefined,
      item: undefined,
      goType: shape.goType,
    };
    switch (shape.kind) {
      case "string":
        return { ...plans, read: readString, wireType: bytesType };
      case "bool":
        return { ...plans, read: readBool, wireType: varintType };
      case "int32":
        return { ...plans, read: readInt32, wireType: varintType };
      case "int64":
        return { ...plans, read: readInt64, wireType: varintType };
      case "float64":
        return { ...plans, read: readFloat64, wireType: fixed64Type };
      case "bytes":
        return { ...plans, read: readBytes, wireType: bytesType };
      case "struct":
        return {
          ...plans,
          read: readStruct,
          wireType: bytesType,
          plan: MessagePlan.#of(shape, wanted, this.#shared),
          memo: this.#shared.budget === undefined ? undefined : new MessageMemo(this.#shared.budget),
          typeMeta: this.#shared.setsClaimTypes && shape.goType === claim.goType ? wantedOf(claim.typeMeta, wanted) : undefined,
        };
      case "list":
        return { ...plans, read: readWrapped, wireType: bytesType, item: this.#valuePlan(shape.item, wanted) };
      case "own": {
        const schema = shape.schema === undefined ? undefined : MessagePlan.#of(shape.schema, undefined, this.#shared);
        return { ...plans, read: readOwn, wireType: bytesType, own: shape, schema };
      }
      case "map":
      default:
        throw new TypeError(`a map is no value of its own in protobuf: ${shape.goType}`);
    }
  }
}

/**
 * Returns a class whose objects are plain ones. The engine learns the size of the objects of a class: those that grow from `{}` take a
 * quarter more memory.
 */
function plainClass(): new () => JsonObject {
  const Plain = function (): void {
    // Fields are added by the reader.
  };
  Plain.prototype = Object.prototype as unknown as object;
  return Plain as unknown as new () => JsonObject;
}

/** The only kind inside another, in the volumeClaimTemplates of a StatefulSet. */
const claim = { goType: "v1.PersistentVolumeClaim", typeMeta: { kind: "PersistentVolumeClaim", apiVersion: "v1" } } as const;

const wantedOf = (
  { kind, apiVersion }: { readonly kind: string; readonly apiVersion: string },
  wanted: FieldTree | undefined,
): NonNullable<ValuePlan["typeMeta"]> => ({
  ...(wanted === undefined || wanted.has("kind") ? { kind } : {}),
  ...(wanted === undefined || wanted.has("apiVersion") ? { apiVersion } : {}),
});

/** Returns the JSON of the zero value. */
function zeroOf(shape: Shape, { plan }: ValuePlan): JsonValue {
  switch (shape.kind) {
    case "string":
      return "";
    case "bool":
      return false;
    case "int32":
    case "int64":
    case "float64":
      return 0;
    case "struct":
      return plan === undefined ? null : plan.completed({});
    case "own":
      return zeroOfOwn(shape.name);
    case "bytes":
    case "list":
    case "map":
    default:
      return null;
  }
}
