/** Makes a failing input smaller: removes ever smaller parts as long as it still fails in the same way. */

export interface ShrinkOptions {
  /** Whether this input fails like the first. */
  readonly fails: (input: Uint8Array) => Promise<boolean>;
  /** @default 3000 */
  readonly triesMax?: number;
}

export async function shrink(input: Uint8Array, { fails, triesMax = 3000 }: ShrinkOptions): Promise<Uint8Array> {
  let smallest = input;
  let tries = 0;
  for (let size = Math.ceil(smallest.length / 2); size >= 1 && tries < triesMax; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < smallest.length && tries < triesMax;) {
      const candidate = without(smallest, start, start + size);
      tries++;
      if (await fails(candidate)) smallest = candidate;
      else start += size;
    }
  }
  return smallest;
}

function without(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const result = new Uint8Array(bytes.length - (Math.min(end, bytes.length) - start));
  result.set(bytes.subarray(0, start));
  result.set(bytes.subarray(end), start);
  return result;
}
