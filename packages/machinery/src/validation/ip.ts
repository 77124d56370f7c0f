/** IP addresses and CIDR blocks as field values, with the server's errors and its warnings about deprecated forms. */
import { fieldInvalid } from "../field/field-error.ts";
import type { FieldError } from "../field/field-error.ts";
import type { FieldPath } from "../field/field-path.ts";
import { quoteGo } from "../go/go-quote.ts";
import { isIpv4, parseIpAddress, parseIpv4, parseIpv6, printIpAddress } from "./ip-address.ts";
import type { IpAddress } from "./ip-address.ts";

/** How to validate old fields, which once accepted more than today's rules allow. */
export interface LegacyIpOptions {
  /**
   * Whether to reject leading zeros and IPv4 addresses written as IPv6.
   * @default true
   */
  readonly strict?: boolean;
  /**
   * Values before the update, which stay valid.
   * @default []
   */
  readonly oldValues?: readonly string[];
}

/** A parsed CIDR block. */
export interface Cidr {
  readonly address: IpAddress;
  readonly prefixLength: number;
  /** 32 or 128, by the form it was written in. */
  readonly bits: 32 | 128;
  readonly network: Pick<IpAddress, "bytes">;
  readonly leadingZeros: boolean;
}

/** An address in canonical form; for new fields. */
export function validateIp(value: string, path: FieldPath): FieldError[] {
  const [address, errors] = readIp(value, path, true);
  return address === undefined || errors.length > 0 ? errors : canonical(value, printIpAddress(address), path);
}

/** An address in any form; for fields older than the rule. */
export function validateLegacyIp(value: string, path: FieldPath, { strict = true, oldValues = [] }: LegacyIpOptions = {}): FieldError[] {
  return oldValues.includes(value) ? [] : readIp(value, path, strict)[1];
}

/** Returns the server's warnings about an address that {@link validateLegacyIp} accepted. */
export function ipWarnings(value: string, path: FieldPath): string[] {
  const address = parseIpAddress(value);
  if (address === undefined) return [];
  if (isNonStandard(address))
    return [`${path}: non-standard IP address ${quoteGo(value)} is invalid: use ${quoteGo(printIpAddress(address))}`];
  const text = printIpAddress(address);
  if (!address.written6 || text === value) return [];
  return [`${path}: IPv6 address ${quoteGo(value)} should be in RFC 5952 canonical format (${quoteGo(text)})`];
}

/** A block in canonical form, with no bits after the prefix: `10.9.8.0/24`. */
export function validateCidr(value: string, path: FieldPath): FieldError[] {
  const [cidr, errors] = readCidr(value, path, true);
  return cidr === undefined || errors.length > 0 ? errors : canonical(value, printNetwork(cidr), path);
}

/** A block in any form; for fields older than the rule. */
export function validateLegacyCidr(value: string, path: FieldPath, { strict = true, oldValues = [] }: LegacyIpOptions = {}): FieldError[] {
  return oldValues.includes(value) ? [] : readCidr(value, path, strict)[1];
}

/** Returns the server's warnings about a block that {@link validateLegacyCidr} accepted. */
export function cidrWarnings(value: string, path: FieldPath): string[] {
  const cidr = parseCidr(value);
  if (cidr === undefined) return [];
  const { address, prefixLength } = cidr;
  const warnings: string[] = [];
  if (hasHostBits(cidr)) {
    const single = `${printIpAddress(address)}/${cidr.bits}`;
    warnings.push(
      `${path}: CIDR value ${quoteGo(value)} is ambiguous in this context (should be ${quoteGo(printNetwork(cidr))} or ${quoteGo(single)}?)`,
    );
  }
  if (cidr.leadingZeros || isNonStandard(address)) {
    warnings.push(`${path}: non-standard CIDR value ${quoteGo(value)} is invalid: use ${quoteGo(printNetwork(cidr))}`);
  }
  const text = `${printIpAddress(address)}/${prefixLength}`;
  if (warnings.length === 0 && address.written6 && text !== value) {
    warnings.push(`${path}: IPv6 CIDR value ${quoteGo(value)} should be in RFC 5952 canonical format (${quoteGo(text)})`);
  }
  return warnings;
}

/** A complete address with a prefix length, in canonical form: `10.9.8.7/24`. */
export function validateInterfaceAddress(value: string, path: FieldPath): FieldError[] {
  const cidr = parseCidr(value);
  if (cidr === undefined) return [fieldInvalid(path, value, "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)")];
  const { address, prefixLength } = cidr;
  // The prefix of an IPv4 address written as IPv6 counts from the IPv4 part, unless that would make it negative or leave it
  // unchanged.
  const length = isIpv4(address) && prefixLength > 32 ? prefixLength - 96 : prefixLength;
  return canonical(value, `${printIpAddress(address)}/${length}`, path);
}

function canonical(value: string, text: string, path: FieldPath): FieldError[] {
  return value === text ? [] : [fieldInvalid(path, value, `must be in canonical form (${quoteGo(text)})`)];
}

function isNonStandard(address: IpAddress): boolean {
  return address.leadingZeros || (address.written6 && isIpv4(address));
}

function readIp(value: string, path: FieldPath, strict: boolean): readonly [IpAddress | undefined, FieldError[]] {
  const address = parseIpAddress(value);
  if (address === undefined)
    return [undefined, [fieldInvalid(path, value, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)")]];
  if (!strict || !isNonStandard(address)) return [address, []];
  return [
    address,
    [fieldInvalid(path, value, address.leadingZeros ? "must not have leading 0s" : "must not be an IPv4-mapped IPv6 address")],
  ];
}

function readCidr(value: string, path: FieldPath, strict: boolean): readonly [Cidr | undefined, FieldError[]] {
  const cidr = parseCidr(value);
  if (cidr === undefined)
    return [undefined, [fieldInvalid(path, value, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)")]];
  const problem = strict ? findCidrProblem(cidr) : undefined;
  return [cidr, problem === undefined ? [] : [fieldInvalid(path, value, problem)]];
}

function findCidrProblem(cidr: Cidr): string | undefined {
  if (cidr.leadingZeros || cidr.address.leadingZeros) return "must not have leading 0s in IP or prefix length";
  if (isNonStandard(cidr.address)) return "must not have an IPv4-mapped IPv6 address";
  return hasHostBits(cidr) ? "must not have bits set beyond the prefix length" : undefined;
}

/** Parses a block, also in a deprecated form; undefined when it is invalid. */
export function parseCidr(value: string): Cidr | undefined {
  const slash = value.indexOf("/");
  if (slash < 0) return undefined;
  const mask = value.slice(slash + 1);
  const address = parseIpv4(value.slice(0, slash)) ?? parseIpv6(value.slice(0, slash));
  if (address === undefined || !/^[0-9]+$/.test(mask)) return undefined;
  const bits = address.written6 ? 128 : 32;
  const prefixLength = Number(mask);
  if (prefixLength > bits) return undefined;
  const network = { bytes: address.bytes.map((byte, index) => byte & maskByte(prefixLength + 128 - bits, index)) };
  return { address, prefixLength, bits, network, leadingZeros: mask.length > 1 && mask.startsWith("0") };
}

function maskByte(prefixLength: number, index: number): number {
  const kept = Math.min(Math.max(prefixLength - 8 * index, 0), 8);
  return 0xff & (0xff << (8 - kept));
}

function hasHostBits({ address, network }: Cidr): boolean {
  return address.bytes.some((byte, index) => byte !== network.bytes[index]);
}

// A network that is still IPv4 counts its prefix from the IPv4 part.
function printNetwork({ network, prefixLength, bits }: Cidr): string {
  return `${printIpAddress(network)}/${isIpv4(network) && bits === 128 ? prefixLength - 96 : prefixLength}`;
}
