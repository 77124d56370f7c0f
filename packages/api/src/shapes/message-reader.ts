/**
 * Decodes protobuf into the JSON that Go writes for the same object: the same fields in the same order, zero values where Go has them.
 *
 *     bytes, MessagePlan → MessageReader → object
 *
 * Later values replace earlier ones, repeated messages are merged, unknown fields are skipped, as Go does. Errors are in Go's words.
 */
import { compareBytes, setOwn } from "@drover/machinery";
import { bytesType, endGroupType, fixed32Type, fixed64Type, ProtobufError, startGroupType, varintType } from "@drover/machinery/protobuf";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { readBool, readBytes, readFloat64, readInt32, readInt64, readOwn, readString, readStruct, readWrapped } from "./message-plan.ts";
import type { FieldPlan, MessagePlan, ValuePlan } from "./message-plan.ts";
import type { MessageMemo } from "./message-memo.ts";
import { OwnMessages } from "./own-messages.ts";
import type { OwnMessageOptions } from "./own-messages.ts";
import { zeroOfOwn } from "./go-type.ts";
import { base64Text, TextTable } from "./text-table.ts";

/** Maximum nesting of messages; only schemas nest without end. Go has no such limit: its stack grows, that of Node is 1 MB. */
const depthMax = 500;
/** How often fields may occur again in one object. Go's encoder never repeats one, and each time may copy what was there. */
const againMax = 1000;
/** The slot of a struct that has fields of an earlier message: every other field comes before it. */
const mergedSlot = Infinity;

/**
 * Guarantees: never reads beyond its message; keeps nothing of it but short texts. Not reentrant, and cheap to use again: it shares
 * texts among all objects that it reads.
 */
export class MessageReader {
  readonly #texts = new TextTable();
  readonly #owns: OwnMessages;
  #bytes: Uint8Array = new Uint8Array();
  #at = 0;
  #end = 0;
  #depth = 0;
  #again = 0;
  /** Whether parts of the object may belong to other objects as well. */
  #sharesParts = false;
  /** Maps whose keys did not arrive in Go's order. */
  readonly #unsorted = new Set<JsonObject>();
  /** Items of the lists that are being read. */
  readonly #items: JsonValue[] = [];
  /** Of the schema inside the value that is being read. */
  #schemaPlan: MessagePlan | undefined;
  // State of the struct that is being read: its last slot, how many required fields it has, and whether one came out of order.
  #slot = -1;
  #required = 0;
  #isOrdered = true;
  // The halves of the last number that needed more than 28 bits.
  #low = 0;
  #high = 0;

  constructor(options: OwnMessageOptions = {}) {
    this.#owns = new OwnMessages(this.#texts, options);
  }

  /** Decodes the message from `from` to `to`, behind what `into` has already. Throws a `ProtobufError`. */
  read(bytes: Uint8Array, from: number, to: number, plan: MessagePlan, into: JsonObject = {}): JsonObject {
    this.#bytes = bytes;
    this.#at = from;
    this.#end = to;
    this.#depth = 0;
    this.#again = 0;
    this.#sharesParts = plan.sharesParts;
    try {
      return this.#fields(plan, into);
    } finally {
      // Also after an error: the maps may be in parts that are shared with the next object.
      this.#unsorted.forEach(sortKeys);
      this.#unsorted.clear();
      this.#items.length = 0;
      this.#bytes = none;
    }
  }

  /** Reads the fields of a struct up to the current end. `isMerged` says that `into` has fields of an earlier message. */
  #fields(plan: MessagePlan, into: JsonObject, isMerged = false): JsonObject {
    const slot = this.#slot;
    const required = this.#required;
    const isOrdered = this.#isOrdered;
    this.#slot = isMerged ? mergedSlot : -1;
    this.#required = 0;
    this.#isOrdered = true;
    this.#message(plan, into, 0);
    const isComplete = this.#isOrdered && this.#required === plan.requiredCount;
    this.#slot = slot;
    this.#required = required;
    this.#isOrdered = isOrdered;
    return isComplete ? into : plan.completed(into);
  }

  /** Reads the fields of a message; those of an embedded one belong to the outer object. */
  #message(plan: MessagePlan, into: JsonObject, offset: number): void {
    const { byNumber, goName } = plan;
    while (this.#at < this.#end) {
      const tag = this.#tag(goName);
      const number = tag >>> 3;
      const field = number < byNumber.length ? byNumber[number] : undefined;
      if (field === undefined) this.#skip(tag & 7);
      else if (field.embedded === undefined) this.#field(field, tag, into, offset);
      else this.#embedded(field.embedded, tag, into, offset + field.slot);
    }
  }

  #embedded(plan: MessagePlan, tag: number, into: JsonObject, offset: number): void {
    if ((tag & 7) !== bytesType) throw wrongType(tag & 7, plan.goName);
    const outer = this.#enter();
    this.#message(plan, into, offset);
    this.#leave(outer);
  }

  #field(field: FieldPlan, tag: number, into: JsonObject, offset: number): void {
    const slot = field.slot + offset;
    const isAgain = slot <= this.#slot && Object.hasOwn(into, field.name);
    if (isAgain) this.#countAgain();
    if (slot <= this.#slot) this.#isOrdered &&= isAgain;
    else this.#slot = slot;
    if (field.isRequired && !isAgain) this.#required++;
    if (field.holds === "list") this.#list(field, tag, into, isAgain);
    else if (field.holds === "map") this.#map(field, tag, into, isAgain);
    else this.#one(field, tag, into, isAgain);
  }

  #one({ name, value: plan, omitsZero, omitsNull }: FieldPlan, tag: number, into: JsonObject, isAgain: boolean): void {
    if ((tag & 7) !== plan.wireType) throw wrongType(tag & 7, name);
    const before = isAgain ? into[name] : undefined;
    const value =
      plan.plan !== undefined && isObject(before)
        ? this.#nested(plan.plan, this.#sharesParts ? { ...before } : before, true)
        : this.#value(plan);
    if ((omitsZero && isZero(value)) || (omitsNull && value === null)) {
      if (isAgain) delete into[name];
    } else into[name] = value;
  }

  #list({ name, value: plan }: FieldPlan, tag: number, into: JsonObject, isAgain: boolean): void {
    const before = isAgain ? into[name] : undefined;
    // A list that grows would have room for many more. Items follow each other, with the items of their own lists between them.
    const items = this.#items;
    const from = items.length;
    do this.#item(plan, tag & 7, name, items);
    while (this.#isNext(tag));
    // Packed numbers may be none, which is no list.
    if (items.length === from) this.#isOrdered &&= isAgain;
    else if (!Array.isArray(before)) into[name] = items.slice(from);
    else if (this.#isShared) into[name] = [...before, ...items.slice(from)];
    else for (let at = from; at < items.length; at++) before.push(items[at] as JsonValue);
    items.length = from;
  }

  /** Reads one item, or several packed numbers. */
  #item(plan: ValuePlan, type: number, name: string, list: JsonValue[]): void {
    if (type === plan.wireType) {
      list.push(this.#value(plan));
      return;
    }
    if (type !== bytesType) throw wrongType(type, name);
    const outer = this.#enter();
    while (this.#at < this.#end) list.push(this.#value(plan));
    this.#leave(outer);
  }

  #map({ name, value: plan }: FieldPlan, tag: number, into: JsonObject, isAgain: boolean): void {
    if ((tag & 7) !== bytesType) throw wrongType(tag & 7, name);
    const before = isAgain ? into[name] : undefined;
    const map: JsonObject = isObject(before) ? (this.#isShared ? { ...before } : before) : {};
    let last = this.#entry(plan, map);
    let isSorted = !isAgain;
    while (this.#isNext(tag)) {
      const key = this.#entry(plan, map);
      isSorted &&= compareBytes(last, key) < 0;
      last = key;
    }
    if (!isSorted) this.#unsorted.add(map);
    into[name] = map;
  }

  /** Whether lists and maps of the struct that is being read may belong to other objects: they are those of an earlier message. */
  get #isShared(): boolean {
    return this.#sharesParts && this.#slot === mergedSlot;
  }

  /** Reads an entry into the map, and returns its key. */
  #entry(plan: ValuePlan, map: JsonObject): string {
    const outer = this.#enter();
    let key = "";
    let value: JsonValue | undefined;
    while (this.#at < this.#end) {
      const tag = this.#tag("map entry");
      if (tag >>> 3 === 1) key = this.#string();
      else if (tag >>> 3 === 2) value = this.#value(plan);
      else this.#skip(tag & 7);
    }
    this.#leave(outer);
    setOwn(map, key, value ?? zeroEntry(plan));
    return key;
  }

  #value(plan: ValuePlan): JsonValue {
    switch (plan.read) {
      case readString:
        return this.#string();
      case readBool:
        this.#varint();
        return (this.#low | this.#high) !== 0;
      case readInt32:
        this.#varint();
        return this.#low;
      case readInt64:
        return this.#int64();
      case readFloat64:
        return finite(new DataView(this.#bytes.buffer, this.#bytes.byteOffset).getFloat64(this.#advance(8), true));
      case readBytes: {
        const size = this.#size();
        const from = this.#advance(size);
        return base64Text(this.#bytes, from, from + size);
      }
      case readStruct:
        return plan.memo === undefined ? this.#struct(plan) : this.#sharedStruct(plan, plan.memo);
      case readWrapped:
        return this.#wrapped(plan.item as ValuePlan, plan.goType);
      case readOwn:
      default: {
        const size = this.#size();
        const from = this.#advance(size);
        // What may contain a schema is a level of its own.
        this.#deepen();
        this.#schemaPlan = plan.schema;
        const value = this.#owns.read(plan.own?.name ?? "JSON", this.#bytes, from, from + size, this.#schema);
        this.#depth--;
        return value;
      }
    }
  }

  /** Reads a schema inside a value that was skipped, into the schema of an earlier message if there is one. */
  readonly #schema = (view: Uint8Array, before: JsonObject | undefined): JsonObject => {
    const plan = this.#schemaPlan;
    if (plan === undefined) return {};
    if (before !== undefined) this.#countAgain();
    const [at, end] = [this.#at, this.#end];
    this.#at = view.byteOffset - this.#bytes.byteOffset;
    this.#end = this.#at + view.length;
    this.#deepen();
    const schema = this.#fields(plan, before ?? {}, before !== undefined);
    this.#depth--;
    this.#at = at;
    this.#end = end;
    // Schemas have schemas.
    this.#schemaPlan = plan;
    return schema;
  };

  #countAgain(): void {
    if (++this.#again > againMax) throw new ProtobufError(`fields occur again more than ${againMax} times`);
  }

  #deepen(): void {
    if (++this.#depth > depthMax) throw new ProtobufError(`messages are nested more than ${depthMax} levels deep`);
  }

  #struct(plan: ValuePlan): JsonObject {
    return this.#nested(plan.plan as MessagePlan, newObject(plan.plan as MessagePlan, plan));
  }

  /** Reads a struct, or returns the one of equal bytes. */
  #sharedStruct(plan: ValuePlan, memo: MessageMemo): JsonValue {
    const at = this.#at;
    const size = this.#size();
    const from = this.#advance(size);
    const found = memo.find(this.#bytes, from, from + size);
    if (found !== undefined) return found;
    this.#at = at;
    const object = this.#struct(plan);
    memo.keep(this.#bytes, from, from + size, object);
    return object;
  }

  #nested(plan: MessagePlan, into: JsonObject, isMerged = false): JsonObject {
    const outer = this.#enter();
    const object = this.#fields(plan, into, isMerged);
    this.#leave(outer);
    return object;
  }

  #wrapped(item: ValuePlan, goType: string): JsonValue[] {
    const list: JsonValue[] = [];
    const outer = this.#enter();
    while (this.#at < this.#end) {
      const tag = this.#tag(goType.slice(goType.indexOf(".") + 1));
      if (tag >>> 3 === 1) this.#item(item, tag & 7, "Items", list);
      else this.#skip(tag & 7);
    }
    this.#leave(outer);
    return list;
  }

  #string(): string {
    const size = this.#size();
    const from = this.#advance(size);
    return this.#texts.text(this.#bytes, from, from + size);
  }

  /** Reads a tag: the number of a field and the type of its value. */
  #tag(message: string): number {
    const byte = this.#bytes[this.#at] as number;
    if (byte >= 0x80) return this.#longTag(message);
    this.#at++;
    if ((byte & 7) === endGroupType) throw endOfGroup(message);
    if (byte < 8) throw illegalTag(message, 0, BigInt(byte));
    return byte;
  }

  /** As in Go, a number has 32 bits and is positive; further bits are dropped. */
  #longTag(message: string): number {
    this.#varint();
    const low = this.#low;
    if ((low & 7) === endGroupType) throw endOfGroup(message);
    const higher = this.#high << 29;
    const number = (low >>> 3) | higher;
    if (number <= 0) throw illegalTag(message, number, this.#unsigned());
    // No field has a number of more than 29 bits.
    return higher === 0 ? low : low | ~7;
  }

  /** Whether the next value has the same tag; then its tag is read. */
  #isNext(tag: number): boolean {
    const at = this.#at;
    if (at >= this.#end) return false;
    const byte = this.#bytes[at] as number;
    if (tag < 0x80) {
      if (byte !== tag) return false;
      this.#at = at + 1;
      return true;
    }
    if (byte !== ((tag & 0x7f) | 0x80) || tag >= 0x4000 || at + 1 >= this.#end || this.#bytes[at + 1] !== tag >>> 7) return false;
    this.#at = at + 2;
    return true;
  }

  #enter(): number {
    const size = this.#size();
    if (size > this.#end - this.#at) throw unexpectedEnd();
    this.#deepen();
    const outer = this.#end;
    this.#end = this.#at + size;
    return outer;
  }

  #leave(outer: number): void {
    this.#at = this.#end;
    this.#end = outer;
    this.#depth--;
  }

  #skip(type: number): void {
    let groups = 0;
    for (let next = type; ; next = this.#low & 7) {
      if (next === varintType) this.#varint();
      else if (next === fixed64Type) this.#advance(8);
      else if (next === bytesType) this.#advance(this.#size());
      else if (next === startGroupType) groups++;
      else if (next === endGroupType) {
        if (groups === 0) throw new ProtobufError("proto: unexpected end of group");
        groups--;
      } else if (next === fixed32Type) this.#advance(4);
      else throw new ProtobufError(`proto: illegal wireType ${next}`);
      if (groups === 0) return;
      this.#varint();
    }
  }

  /** Reads a length. One beyond all numbers is negative, as in Go; one too large for the rest fails when it is used. */
  #size(): number {
    const byte = this.#bytes[this.#at] as number;
    if (byte < 0x80 && this.#at < this.#end) {
      this.#at++;
      return byte;
    }
    this.#varint();
    const isBeyond = this.#high === 0x7fff_ffff && (this.#low >>> 0) + this.#at > 0xffff_ffff;
    if (this.#high < 0 || isBeyond) throw new ProtobufError("proto: negative length found during unmarshaling");
    return this.#high * 0x1_0000_0000 + (this.#low >>> 0);
  }

  #advance(size: number): number {
    const start = this.#at;
    if (size > this.#end - start) throw unexpectedEnd();
    this.#at = start + size;
    return start;
  }

  #int64(): number | bigint {
    this.#varint();
    const value = this.#high * 0x1_0000_0000 + (this.#low >>> 0);
    return Number.isSafeInteger(value) ? value : BigInt.asIntN(64, this.#unsigned());
  }

  #unsigned(): bigint {
    return (BigInt(this.#high >>> 0) << 32n) | BigInt(this.#low >>> 0);
  }

  /** Up to ten bytes of seven bits each; bits beyond 64 are dropped. */
  #varint(): void {
    let low = 0;
    let high = 0;
    for (let shift = 0; ; shift += 7) {
      if (shift >= 64) throw new ProtobufError("proto: integer overflow");
      if (this.#at >= this.#end) throw unexpectedEnd();
      const byte = this.#bytes[this.#at++] as number;
      const bits = byte & 0x7f;
      if (shift < 32) low |= bits << shift;
      if (shift === 28) high |= bits >>> 4;
      else if (shift > 28) high |= bits << (shift - 32);
      if (byte < 0x80) break;
    }
    this.#low = low;
    this.#high = high;
  }
}

const none = new Uint8Array();

function newObject({ Plain }: MessagePlan, { typeMeta }: ValuePlan): JsonObject {
  const object = new Plain();
  return typeMeta === undefined ? object : Object.assign(object, typeMeta);
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isZero = (value: JsonValue): boolean => value === "" || value === 0 || value === false;

/** Go writes maps sorted by key. The map itself is changed, because the object has it already. */
function sortKeys(map: JsonObject): void {
  const entries = Object.entries(map).toSorted(([a], [b]) => compareBytes(a, b));
  for (const [key, value] of entries) {
    delete map[key];
    setOwn(map, key, value);
  }
}

/** An entry without a value has a zero one; bytes are empty, not null. */
function zeroEntry({ read, plan, own }: ValuePlan): JsonValue {
  switch (read) {
    case readString:
    case readBytes:
      return "";
    case readBool:
      return false;
    case readInt32:
    case readInt64:
    case readFloat64:
      return 0;
    case readStruct:
      return plan?.completed({}) ?? null;
    default:
      return own === undefined ? null : zeroOfOwn(own.name);
  }
}

/** JSON has no other numbers. */
function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new ProtobufError(`json: unsupported value: ${Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf"}`);
}

const unexpectedEnd = (): ProtobufError => new ProtobufError("unexpected EOF");

const endOfGroup = (message: string): ProtobufError => new ProtobufError(`proto: ${message}: wiretype end group for non-group`);

const illegalTag = (message: string, number: number, wire: bigint): ProtobufError =>
  new ProtobufError(`proto: ${message}: illegal tag ${number} (wire type ${wire})`);

const wrongType = (type: number, name: string): ProtobufError =>
  new ProtobufError(`proto: wrong wireType = ${type} for field ${goFieldName(name)}`);

/** Go's name of a field, for messages; a few ("podIPs", "osImage") differ in case. */
const goFieldName = (name: string): string => (name === "metadata" ? "ObjectMeta" : name.charAt(0).toUpperCase() + name.slice(1));
