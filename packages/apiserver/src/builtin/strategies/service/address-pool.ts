/**
 * The addresses of one range of Service IPs.
 *
 *     ServiceAllocator → AddressPool → NumberPool
 */
import { assert, parseCidr, parseIpAddress, printIpAddress } from "@drover/machinery";
import type { Random } from "@drover/machinery";
import { NumberPool } from "./number-pool.ts";
import type { IpFamily } from "./service-shape.ts";

/** Maximum number of addresses tracked; larger ranges are only used up to here. */
const sizeMax = 2 ** 40;

/** Tracks the allocated addresses of a range. The network address is never allocated, nor the broadcast address of an IPv4 range. */
export class AddressPool {
  readonly family: IpFamily;
  /** The range: "10.0.0.0/24". */
  readonly cidr: string;
  /** The network address, which dry runs return: "10.0.0.0". */
  readonly networkAddress: string;
  readonly #network: bigint;
  readonly #size: number;
  readonly #numbers: NumberPool;

  constructor(cidr: string, { random }: { readonly random: Random }) {
    const block = parseCidr(cidr);
    assert(block !== undefined, `${cidr} is not an address range such as 10.0.0.0/24`);
    const hosts = 2 ** (block.bits - block.prefixLength);
    this.family = block.bits === 32 ? "IPv4" : "IPv6";
    this.cidr = cidr;
    this.networkAddress = printIpAddress(block.network);
    this.#network = toNumber(block.network.bytes);
    this.#size = Math.min(sizeMax, Math.max(0, hosts - (this.family === "IPv4" ? 2 : 1)));
    // One sixteenth, at least 16 and at most 256.
    const kept = hosts <= 16 ? 0 : Math.min(256, Math.max(16, Math.floor(hosts / 16)));
    this.#numbers = new NumberPool(this.#size, { random, keptForRequests: kept });
  }

  /** Whether an address can be allocated from this range. */
  includes(address: string): boolean {
    return this.#offset(address) !== undefined;
  }

  /** Allocates an address of the range; false if it is taken. */
  take(address: string): boolean {
    const offset = this.#offset(address);
    return offset !== undefined && this.#numbers.take(offset);
  }

  /** Allocates any address; undefined if none is left. */
  takeAny(): string | undefined {
    const offset = this.#numbers.takeAny();
    return offset === undefined ? undefined : this.addressAt(offset);
  }

  /** Returns the address at an offset from the first one that can be allocated. */
  addressAt(offset: number): string {
    return toText(this.#network + BigInt(offset) + 1n);
  }

  giveBack(address: string): void {
    const offset = this.#offset(address);
    if (offset !== undefined) this.#numbers.giveBack(offset);
  }

  #offset(address: string): number | undefined {
    const parsed = parseIpAddress(address);
    if (parsed === undefined) return undefined;
    const offset = toNumber(parsed.bytes) - this.#network - 1n;
    return offset >= 0n && offset < BigInt(this.#size) ? Number(offset) : undefined;
  }
}

function toNumber(bytes: readonly number[]): bigint {
  return bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

function toText(number: bigint): string {
  return printIpAddress({ bytes: Array.from({ length: 16 }, (_, index) => Number((number >> BigInt(8 * (15 - index))) & 0xffn)) });
}
