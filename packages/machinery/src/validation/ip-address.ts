/** IP addresses as text: parsed as leniently as the server always did, with deprecated forms marked, and printed in canonical form. */

/** A parsed address. */
export interface IpAddress {
  /** Sixteen bytes; an IPv4 address is in the last four, after ten zeros and two 0xff. */
  readonly bytes: readonly number[];
  /** Whether it has leading zeros that make other software parse another address: `010.0.0.1`. */
  readonly leadingZeros: boolean;
  /** Whether it was written with colons. */
  readonly written6: boolean;
}

const ipv4Prefix: readonly number[] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];
// The server stops counting here, however many digits follow.
const numberLimit = 0xffffff;

/** Parses an address, also one with leading zeros; undefined when it is invalid. Does not parse zones. */
export function parseIpAddress(text: string): IpAddress | undefined {
  const separator = /[.:]/.exec(text)?.[0];
  if (separator === undefined) return undefined;
  return separator === "." ? parseIpv4(text) : parseIpv6(text);
}

/** Parses `a.b.c.d`. */
export function parseIpv4(text: string): IpAddress | undefined {
  const octets = text.split(".", 5);
  if (octets.length !== 4 || !octets.every((octet) => /^[0-9]+$/.test(octet) && readNumber(octet, 10) <= 0xff)) return undefined;
  const leadingZeros = octets.some((octet) => octet.length > 1 && octet.startsWith("0"));
  return { bytes: [...ipv4Prefix, ...octets.map(Number)], leadingZeros, written6: false };
}

/** Parses the form with colons, which may have one `::` and may end in an IPv4 address. */
export function parseIpv6(text: string): IpAddress | undefined {
  const halves = text.split("::", 3);
  if (halves.length > 2) return undefined;
  const [before, after] = halves.map((half, index) => readGroups(half, index === halves.length - 1));
  if (before === undefined || (halves.length === 2 && after === undefined)) return undefined;
  const bytes = [...before.bytes, ...(after?.bytes ?? [])];
  const missing = 16 - bytes.length;
  // "::" stands for at least one group; without it nothing may be missing.
  if (halves.length === 2 ? missing < 2 : missing !== 0) return undefined;
  const leadingZeros = before.leadingZeros || after?.leadingZeros === true;
  return { bytes: [...before.bytes, ...Array.from({ length: missing }, () => 0), ...(after?.bytes ?? [])], leadingZeros, written6: true };
}

/** Whether the bytes are an IPv4 address, in whatever form it was written. */
export function isIpv4({ bytes }: Pick<IpAddress, "bytes">): boolean {
  return ipv4Prefix.every((byte, index) => bytes[index] === byte);
}

/** The canonical form: `10.9.8.7` for every IPv4 address, RFC 5952 for the rest. */
export function printIpAddress(address: Pick<IpAddress, "bytes">): string {
  return isIpv4(address) ? address.bytes.slice(12).join(".") : printIpv6(address.bytes);
}

function readGroups(text: string, last: boolean): { readonly bytes: readonly number[]; readonly leadingZeros: boolean } | undefined {
  if (text === "") return { bytes: [], leadingZeros: false };
  const bytes: number[] = [];
  let leadingZeros = false;
  // Nine parts are already too many.
  const groups = text.split(":", 9);
  for (const [index, group] of groups.entries()) {
    const ipv4 = last && index === groups.length - 1 && group.includes(".") ? parseIpv4(group) : undefined;
    if (ipv4 !== undefined) {
      bytes.push(...ipv4.bytes.slice(12));
      leadingZeros ||= ipv4.leadingZeros;
    } else {
      const value = /^[0-9a-fA-F]+$/.test(group) ? readNumber(group, 16) : numberLimit;
      if (value > 0xffff) return undefined;
      bytes.push(value >> 8, value & 0xff);
      leadingZeros ||= group.length > 4;
    }
  }
  return { bytes, leadingZeros };
}

function readNumber(digits: string, base: 10 | 16): number {
  return Math.min(Number.parseInt(digits, base), numberLimit);
}

function printIpv6(bytes: readonly number[]): string {
  const groups = Array.from({ length: 8 }, (_, index) => ((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0));
  // The longest run of zeros becomes "::", the first of equal ones, and never a single zero.
  let [start, length] = [-1, 1];
  for (let from = 0; from < 8; from++) {
    let to = from;
    while (to < 8 && groups[to] === 0) to++;
    if (to - from > length) [start, length] = [from, to - from];
  }
  const print = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(":");
  return start < 0 ? print(groups) : `${print(groups.slice(0, start))}::${print(groups.slice(start + length))}`;
}
