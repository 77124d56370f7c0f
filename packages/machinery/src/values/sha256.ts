/** SHA-256 (FIPS 180-4) without the platform, whose APIs differ: for names and short texts, not for megabytes. */

const rounds: readonly number[] = fractions(64, Math.cbrt);
const beginning: readonly number[] = fractions(8, Math.sqrt);

/** Returns the digest of text (as UTF-8) or bytes, in 64 hexadecimal digits. */
export function sha256Hex(data: string | Uint8Array): string {
  const message = padded(typeof data === "string" ? new TextEncoder().encode(data) : data);
  const state = Uint32Array.from(beginning);
  const schedule = new Uint32Array(64);
  for (let offset = 0; offset < message.byteLength; offset += 64) compress(state, schedule, message, offset);
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
}

/** A one, zeros, and the length in bits as 64 bits, padded to whole blocks. */
function padded(bytes: Uint8Array): DataView {
  const view = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  new Uint8Array(view.buffer).set(bytes);
  view.setUint8(bytes.length, 0x80);
  view.setBigUint64(view.byteLength - 8, BigInt(bytes.length) * 8n);
  return view;
}

function compress(state: Uint32Array, schedule: Uint32Array, message: DataView, offset: number): void {
  for (let index = 0; index < 16; index++) schedule[index] = message.getUint32(offset + index * 4);
  for (let index = 16; index < 64; index++) {
    const [early, late] = [at(schedule, index - 15), at(schedule, index - 2)];
    schedule[index] =
      at(schedule, index - 16) +
      (turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)) +
      at(schedule, index - 7) +
      (turn(late, 17) ^ turn(late, 19) ^ (late >>> 10));
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index++) {
    const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + (rounds[index] ?? 0) + at(schedule, index)) | 0;
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = at(state, index) + word;
}

const at = (words: Uint32Array, index: number): number => words[index] ?? 0;
const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** The first 32 bits after the point of a root of each of the first primes. */
function fractions(count: number, root: (prime: number) => number): readonly number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number++) if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  return primes.map((prime) => Math.floor((root(prime) % 1) * 2 ** 32));
}
