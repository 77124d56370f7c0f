/**
 * Encodes protobuf messages. Writes what it is given, zero values too, as proto2 and Go's API types do; for proto3, callers leave
 * zero values out.
 *
 *     values, field by field → ProtobufWriter → bytes → ProtobufReader
 */
import { bytesType, fixed64Type, varintType } from "./wire-type.ts";

const encoder = new TextEncoder();

/** From this length on the platform encodes text faster than this class. */
const shortText = 48;

/** One growing buffer. Content with a length prefix is written first, and moved when its length takes more room than was reserved. */
export class ProtobufWriter {
  #buffer = new Uint8Array(1024);
  #length = 0;

  string(field: number, text: string): void {
    const start = this.begin(field);
    this.#reserve(text.length * 3);
    if (text.length > shortText || !this.#ascii(text))
      this.#length = start + 1 + encoder.encodeInto(text, this.#buffer.subarray(start + 1)).written;
    this.end(start);
  }

  bytes(field: number, bytes: Uint8Array): void {
    this.#key(field, bytesType);
    this.#varint(bytes.length);
    this.raw(bytes);
  }

  bool(field: number, value: boolean): void {
    this.#key(field, varintType);
    this.#byte(value ? 1 : 0);
  }

  /** An integer of up to 64 bits. Negative ones take ten bytes. */
  int64(field: number, value: number | bigint): void {
    this.#key(field, varintType);
    if (typeof value === "number" && value >= 0 && value < 0x8000_0000) return this.#varint(value);
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest >= 0x80n; rest >>= 7n) this.#byte(Number(rest & 0x7fn) | 0x80);
    this.#byte(Number(rest));
  }

  double(field: number, value: number): void {
    this.#key(field, fixed64Type);
    this.#reserve(8);
    new DataView(this.#buffer.buffer).setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  /** Writes a message whose content `write` writes with this same writer. */
  message(field: number, write: (writer: this) => void): void {
    const start = this.begin(field);
    write(this);
    this.end(start);
  }

  /** Begins a message; pass the result to `end`. */
  begin(field: number): number {
    this.#key(field, bytesType);
    const start = this.#length;
    // The length of most messages takes one byte.
    this.#byte(0);
    return start;
  }

  /** Ends the message that began at `start`. */
  end(start: number): void {
    const size = this.#length - start - 1;
    if (size < 0x80) {
      this.#buffer[start] = size;
      return;
    }
    const more = varintSize(size) - 1;
    this.#reserve(more);
    this.#buffer.copyWithin(start + 1 + more, start + 1, this.#length);
    const end = this.#length + more;
    this.#length = start;
    this.#varint(size);
    this.#length = end;
  }

  /** Writes bytes as they are. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  finish(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }

  /** False for a text with other characters; part of it is then behind the end of the buffer. Assumes enough room. */
  #ascii(text: string): boolean {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code >= 0x80) return false;
      this.#buffer[this.#length + at] = code;
    }
    this.#length += text.length;
    return true;
  }

  #key(field: number, type: number): void {
    this.#varint(field * 8 + type);
  }

  /** For numbers below 2^31. */
  #varint(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest >>>= 7) this.#byte((rest & 0x7f) | 0x80);
    this.#byte(rest);
  }

  #byte(value: number): void {
    this.#reserve(1);
    this.#buffer[this.#length++] = value;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.max(this.#buffer.length * 2, this.#length + more));
    larger.set(this.#buffer);
    this.#buffer = larger;
  }
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest >>>= 7) size++;
  return size;
}
