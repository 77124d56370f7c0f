/** IP addresses and networks, parsed as strictly as in Kubernetes' CEL library: no zones, no leading zeros, no IPv4-mapped IPv6. */
import { parseIpAddress, printIpAddress, quoteGo } from "@drover/machinery";

/** Four or sixteen bytes. */
export type AddressBytes = readonly number[];

/** An address, or why the text is invalid. */
export type ReadAddress = { readonly bytes: AddressBytes } | { readonly problem: string };

const problemOf = (text: string, why: string): string => `ParseAddr(${quoteGo(text)}): ${why}`;

function addressProblem(text: string): string {
  if (!/[.:]/.test(text)) return problemOf(text, "unable to parse IP");
  if (text.includes(":")) return problemOf(text, "unable to parse IP");
  if (/[^0-9.]/.test(text)) return problemOf(text, "unexpected character");
  const octets = text.split(".");
  if (octets.some((octet) => octet === "")) return problemOf(text, "IPv4 field must have at least one digit");
  if (octets.some((octet) => octet.length > 1 && octet.startsWith("0"))) return problemOf(text, "IPv4 field has octet with leading zero");
  if (octets.some((octet) => Number(octet) > 255)) return problemOf(text, "IPv4 field has value >255");
  return problemOf(text, octets.length < 4 ? "IPv4 address too short" : "IPv4 address too long");
}

/** Parses an address. */
export function readAddress(text: string): ReadAddress {
  const wrap = (problem: string): ReadAddress => ({
    problem: `IP Address ${quoteGo(text)} parse error during conversion from string: ${problem}`,
  });
  const [plain = "", zone] = text.split("%", 2);
  const parsed = parseIpAddress(plain);
  if (parsed === undefined || parsed.leadingZeros || (zone !== undefined && !parsed.written6)) return wrap(addressProblem(text));
  if (zone !== undefined)
    return zone === ""
      ? wrap(problemOf(text, "zone must be a non-empty string"))
      : { problem: `IP address ${quoteGo(text)} with zone value is not allowed` };
  const is4 = parsed.bytes.slice(0, 12).join(".") === "0.0.0.0.0.0.0.0.0.0.255.255";
  if (is4 && parsed.written6) return { problem: `IPv4-mapped IPv6 address ${quoteGo(text)} is not allowed` };
  return { bytes: is4 ? parsed.bytes.slice(12) : parsed.bytes };
}

/** Prints an address in canonical form. */
export function printAddress(bytes: AddressBytes): string {
  return bytes.length === 4 ? bytes.join(".") : printIpAddress({ bytes });
}

/** A network: an address and its prefix length. */
export interface Network {
  readonly bytes: AddressBytes;
  readonly bits: number;
}

/** Parses `10.0.0.0/8`. */
export function readNetwork(text: string): Network | { readonly problem: string } {
  const slash = text.lastIndexOf("/");
  const wrap = (why: string): { readonly problem: string } => ({
    problem: `network address parse error during conversion from string: netip.ParsePrefix(${quoteGo(text)}): ${why}`,
  });
  if (slash < 0) return wrap("no '/'");
  const address = text.slice(0, slash);
  const read = readAddress(address);
  if ("problem" in read) {
    if (address.includes("%")) return wrap("IPv6 zones cannot be present in a prefix");
    return read.problem.startsWith("IPv4-mapped")
      ? { problem: `IPv4-mapped IPv6 address ${quoteGo(text)} is not allowed` }
      : wrap(addressProblem(address));
  }
  const digits = text.slice(slash + 1);
  if (!/^(?:0|[1-9][0-9]*)$/.test(digits)) return wrap(`bad bits after slash: ${quoteGo(digits)}`);
  return Number(digits) > read.bytes.length * 8 ? wrap("prefix length out of range") : { bytes: read.bytes, bits: Number(digits) };
}

export const printNetwork = ({ bytes, bits }: Network): string => `${printAddress(bytes)}/${bits}`;

/** Clears all bits after the prefix. */
export function maskAddress(bytes: AddressBytes, bits: number): AddressBytes {
  return bytes.map((byte, index) => {
    const kept = Math.min(Math.max(bits - index * 8, 0), 8);
    return byte & (0xff << (8 - kept)) & 0xff;
  });
}

/** Whether a network contains an address. */
export function networkHolds({ bytes, bits }: Network, address: AddressBytes): boolean {
  return bytes.length === address.length && maskAddress(bytes, bits).join(".") === maskAddress(address, bits).join(".");
}
