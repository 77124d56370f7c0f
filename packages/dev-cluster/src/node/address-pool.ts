/** The addresses of a node's pods: those of a range like "10.244.1.0/24", each given out once until it is given back. */

/** Guarantees: no address is out twice; the network's own, the bridge's (the first) and the last are never given out. */
export class AddressPool {
  readonly #first: number;
  readonly #count: number;
  readonly #byHolder = new Map<string, number>();
  readonly #taken = new Set<number>();
  #last = -1;

  /** Throws for a range that cannot be read, or is too small for one pod. */
  constructor(range: string) {
    const [, a = "", b = "", c = "", d = "", bits = ""] = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(range) ?? [];
    const parts = [a, b, c, d].map(Number);
    const size = 2 ** (32 - Number(bits));
    if (a === "" || parts.some((part) => part > 255) || Number(bits) > 29 || Number(bits) < 8)
      throw new RangeError(`a range of pod addresses must be like "10.244.1.0/24", between /8 and /29, not ${JSON.stringify(range)}`);
    const base = parts.reduce((sum, part) => sum * 256 + part, 0);
    this.#first = base - (base % size) + 2;
    this.#count = size - 3;
  }

  /**
   * The address of a holder, the same one until it is given back; undefined when all are out. One that it has from
   * before it keeps, if nobody else has it.
   */
  take(holder: string, before?: string): string | undefined {
    const known = this.#byHolder.get(holder);
    if (known !== undefined) return printAddress(this.#first + known);
    const index = this.#indexOf(before) ?? this.#nextFree();
    if (index === undefined) return undefined;
    this.#give(holder, index);
    return printAddress(this.#first + index);
  }

  /**
   * A holder from before stays with its address, so that nobody else gets it; nothing happens when somebody has it
   * already, or it is none of ours.
   */
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

  /** Round and round, so that an address that has just been given back is not the next to be given out. */
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
