/**
 * Decodes protobuf messages field by field, and rejects what Go's generated decoders reject, in their words.
 *
 *     while (reader.next("Pod")) switch (reader.field) { case 1: reader.string(); …; default: reader.skip(); }
 */
import { ProtobufError } from "./protobuf-error.ts";
import { bytesType, endGroupType, fixed32Type, fixed64Type, startGroupType, varintType } from "./wire-type.ts";

// A byte order mark is an ordinary character, and invalid UTF-8 becomes U+FFFD.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** From this length on the platform decodes text faster than this class. */
const shortText = 24;

/** Maximum nesting of messages. Go has no such limit; its stack is larger. */
const depthMax = 1000;

/** Guarantees: never reads beyond its message. Returned bytes are views, not copies. */
export class ProtobufReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #end: number;
  #depth = 0;
  #field = 0;
  #type = 0;
  // The halves of the last number read.
  #low = 0;
  #high = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#end = bytes.length;
  }

  /** Number of the current field. */
  get field(): number {
    return this.#field;
  }

  /** Wire type of the current field. */
  get wireType(): number {
    return this.#type;
  }

  /** Advances to the next field, which must be read or skipped; false at the end of the message. `message` is its name, for errors. */
  next(message: string): boolean {
    if (this.#at >= this.#end) return false;
    this.#varint();
    this.#type = this.#low & 7;
    this.#field = (this.#low >>> 3) | (this.#high << 29) | 0;
    if (this.#type === endGroupType) throw new ProtobufError(`proto: ${message}: wiretype end group for non-group`);
    if (this.#field <= 0) throw new ProtobufError(`proto: ${message}: illegal tag ${this.#field} (wire type ${this.#unsigned()})`);
    return true;
  }

  /** Throws unless the value has this wire type. `name` is that of the field. */
  expect(wireType: number, name: string): void {
    if (this.#type !== wireType) throw new ProtobufError(`proto: wrong wireType = ${this.#type} for field ${name}`);
  }

  bool(): boolean {
    this.#varint();
    return (this.#low | this.#high) !== 0;
  }

  /** Truncates what does not fit. */
  int32(): number {
    this.#varint();
    return this.#low | 0;
  }

  /** A bigint where a number would not be exact. */
  int64(): number | bigint {
    this.#varint();
    const value = (this.#high | 0) * 0x1_0000_0000 + (this.#low >>> 0);
    return Number.isSafeInteger(value) ? value : BigInt.asIntN(64, this.#unsigned());
  }

  double(): number {
    const start = this.#advance(8);
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset).getFloat64(start, true);
  }

  bytes(): Uint8Array {
    const size = this.#size();
    const start = this.#advance(size);
    return this.#bytes.subarray(start, start + size);
  }

  string(): string {
    const size = this.#size();
    const start = this.#advance(size);
    return (size <= shortText ? this.#ascii(start, size) : undefined) ?? decoder.decode(this.#bytes.subarray(start, start + size));
  }

  /** Enters a message or a list of packed numbers; pass the result to `leave`. */
  enter(): number {
    const size = this.#size();
    if (size > this.#end - this.#at) throw unexpectedEnd();
    if (++this.#depth > depthMax) throw new ProtobufError(`messages are nested more than ${depthMax} levels deep`);
    const outer = this.#end;
    this.#end = this.#at + size;
    return outer;
  }

  /** Whether the entered message or list has more. */
  get hasMore(): boolean {
    return this.#at < this.#end;
  }

  /** Continues after the entered message, skipping what is left of it. */
  leave(outer: number): void {
    this.#at = this.#end;
    this.#end = outer;
    this.#depth--;
  }

  /** Skips a value. */
  skip(): void {
    let groups = 0;
    for (let type = this.#type; ; type = this.#low & 7) {
      switch (type) {
        case varintType:
          this.#varint();
          break;
        case fixed64Type:
          this.#advance(8);
          break;
        case bytesType:
          this.#advance(this.#size());
          break;
        case startGroupType:
          groups++;
          break;
        case endGroupType:
          if (groups === 0) throw new ProtobufError("proto: unexpected end of group");
          groups--;
          break;
        case fixed32Type:
          this.#advance(4);
          break;
        default:
          throw new ProtobufError(`proto: illegal wireType ${type}`);
      }
      if (groups === 0) return;
      this.#varint();
    }
  }

  /** Undefined for text beyond ASCII. */
  #ascii(start: number, size: number): string | undefined {
    let text = "";
    for (let at = start; at < start + size; at++) {
      const code = this.#bytes[at] as number;
      if (code >= 0x80) return undefined;
      text += String.fromCharCode(code);
    }
    return text;
  }

  /** Reads a length. One beyond all numbers is negative, as in Go; one too large for the rest fails when it is used. */
  #size(): number {
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

const unexpectedEnd = (): ProtobufError => new ProtobufError("unexpected EOF");
