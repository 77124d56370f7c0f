/** Writes protobuf messages, as much of it as the OpenAPI document needs. Fields with their zero value are left out, as proto3 does. */

const varintKind = 0;
const fixed64Kind = 1;
const bytesKind = 2;

const encoder = new TextEncoder();

/** One growing buffer. What has a length is written first and moved up when its length takes more room than was left for it. */
export class ProtobufWriter {
  #buffer = new Uint8Array(1024);
  #length = 0;

  string(field: number, text: string): void {
    if (text !== "") this.#text(field, text);
  }

  strings(field: number, texts: readonly string[]): void {
    for (const text of texts) this.#text(field, text);
  }

  bool(field: number, value: boolean): void {
    if (value) this.boolInChoice(field, value);
  }

  /** One of several fields of which exactly one is there: it is written even when it is false. */
  boolInChoice(field: number, value: boolean): void {
    this.#key(field, varintKind);
    this.#varint(value ? 1 : 0);
  }

  /** Negative ones take ten bytes. */
  int64(field: number, value: number | bigint): void {
    let rest = BigInt.asUintN(64, BigInt(value));
    if (rest === 0n) return;
    this.#key(field, varintKind);
    for (; rest >= 0x80n; rest >>= 7n) this.#byte(Number(rest & 0x7fn) | 0x80);
    this.#byte(Number(rest));
  }

  double(field: number, value: number): void {
    if (value === 0) return;
    this.#key(field, fixed64Kind);
    this.#reserve(8);
    new DataView(this.#buffer.buffer).setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  /** What `write` writes is the message; it must use this same writer. */
  message(field: number, write: (writer: this) => void): void {
    this.#key(field, bytesKind);
    const start = this.#length;
    this.#byte(0);
    write(this);
    this.#closeLength(start);
  }

  finish(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }

  #text(field: number, text: string): void {
    this.#key(field, bytesKind);
    const start = this.#length;
    this.#byte(0);
    this.#reserve(text.length * 3);
    this.#length += encoder.encodeInto(text, this.#buffer.subarray(this.#length)).written;
    this.#closeLength(start);
  }

  /** One byte was left for the length at `start`. */
  #closeLength(start: number): void {
    const size = this.#length - start - 1;
    const more = varintSize(size) - 1;
    this.#reserve(more);
    if (more > 0) this.#buffer.copyWithin(start + 1 + more, start + 1, this.#length);
    const end = this.#length + more;
    this.#length = start;
    this.#varint(size);
    this.#length = end;
  }

  #key(field: number, kind: number): void {
    this.#varint(field * 8 + kind);
  }

  /** Of a number below 2^31. */
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
