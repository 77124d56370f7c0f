/** Pod addresses of a node, allocated from a range like "10.244.1.0/24". */

/** Guarantees: no address is allocated twice; the network address, the first (the bridge's) and the last are never allocated. */
export class AddressPool {
  readonly #first: number;
  readonly #count: number;
  readonly #byHolder = new Map<string, number>();
  readonly #taken = new Set<number>();
  #last = -1;

  /** Throws for an invalid range, or one too small for a single pod. */
  constructor(range: string) {
    const [, a = "", b = "", c = "", d = "", bits = ""] = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(range) ?? [];
    const parts = [a, b, c, d].map(Number);
    const size = 2 ** (32 - Number(bits));
    if (a === "" || parts.some((part) => part > 255) || Number(bits) > 29 || Number(bits) < 8)
      throw new RangeError(`pod address range must be like "10.244.1.0/24", between /8 and /29, not ${JSON.stringify(range)}`);
    const base = parts.reduce((sum, part) => sum * 256 + part, 0);
    this.#first = base - (base % size) + 2;
    this.#count = size - 3;
  }

  /**
   * Returns the address of a holder, the same one until it is given back; undefined when the range is exhausted. Prefers `before`,
   * the holder's earlier address, if it is free.
   */
  take(holder: string, before?: string): string | undefined {
    const known = this.#byHolder.get(holder);
    if (known !== undefined) return printAddress(this.#first + known);
    const index = this.#indexOf(before) ?? this.#nextFree();
    if (index === undefined) return undefined;
    this.#give(holder, index);
    return printAddress(this.#first + index);
  }

  /** Reserves a holder's existing address. Does nothing when the address is taken or outside the range. */
  keep(holder: string, address: string): void {
    const index = this.#indexOf(address);
    if (index !== undefined && !this.#byHolder.has(holder)) this.#give(holder, index);
  }

  giveBack(holder: string): void {
    const index = this.#byHolder.get(holder);
    if (index === undefined) return;
    this.#byHolder.delete(holder);
    this.#taken.delete(index);
  }

  #give(holder: string, index: number): void {
    this.#byHolder.set(holder, index);
    this.#taken.add(index);
  }

  #indexOf(address: string | undefined): number | undefined {
    if (address === undefined) return undefined;
    const index = address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0) - this.#first;
    return index >= 0 && index < this.#count && !this.#taken.has(index) ? index : undefined;
  }

  /** Round robin, so that an address that was just released is not reused at once. */
  #nextFree(): number | undefined {
    if (this.#taken.size === this.#count) return undefined;
    do this.#last = (this.#last + 1) % this.#count;
    while (this.#taken.has(this.#last));
    return this.#last;
  }
}

function printAddress(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join(".");
}
