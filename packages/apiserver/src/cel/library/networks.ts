/** `ip()` and `cidr()` with their methods. */
import { overload } from "../check/environment.ts";
import type { Overload } from "../check/environment.ts";
import { cidrType, ipType } from "../check/signature.ts";
import { failure, isFailure } from "../value/failure.ts";
import type { CelFailure } from "../value/failure.ts";
import type { CelObject } from "../value/value.ts";
import { maskAddress, networkHolds, printAddress, printNetwork, readAddress, readNetwork } from "./network-address.ts";
import type { AddressBytes, Network } from "./network-address.ts";

const ipValue = (bytes: AddressBytes): CelObject => ({
  kind: "object",
  type: ipType,
  value: bytes,
  size: bytes.length,
  equals: (other) => printAddress(bytes) === printAddress(other as AddressBytes),
});

const cidrValue = (network: Network): CelObject => ({
  kind: "object",
  type: cidrType,
  value: network,
  size: Math.ceil(network.bits / 8),
  equals: (other) => printNetwork(network) === printNetwork(other as Network),
});

function toIp(text: string): CelObject | CelFailure {
  const read = readAddress(text);
  return "problem" in read ? failure(read.problem) : ipValue(read.bytes);
}

function toCidr(text: string): CelObject | CelFailure {
  const read = readNetwork(text);
  return "problem" in read ? failure(`network address parse error during conversion from string: ${read.problem}`) : cidrValue(read);
}

const addressOf = ({ value }: CelObject): AddressBytes => value as AddressBytes;
const networkOf = ({ value }: CelObject): Network => value as Network;

const tests: Readonly<Record<string, (bytes: AddressBytes) => boolean>> = {
  isUnspecified: (bytes) => bytes.every((byte) => byte === 0),
  isLoopback: (bytes) => (bytes.length === 4 ? bytes[0] === 127 : bytes.slice(0, 15).every((byte) => byte === 0) && bytes[15] === 1),
  isLinkLocalMulticast: (bytes) =>
    bytes.length === 4 ? bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0 : bytes[0] === 0xff && ((bytes[1] ?? 0) & 0x0f) === 0x02,
  isLinkLocalUnicast: (bytes) =>
    bytes.length === 4 ? bytes[0] === 169 && bytes[1] === 254 : bytes[0] === 0xfe && ((bytes[1] ?? 0) & 0xc0) === 0x80,
};

const isMulticast = (bytes: AddressBytes): boolean => (bytes.length === 4 ? ((bytes[0] ?? 0) & 0xf0) === 0xe0 : bytes[0] === 0xff);
const isGlobalUnicast = (bytes: AddressBytes): boolean =>
  !isMulticast(bytes) &&
  bytes.join(".") !== "255.255.255.255" &&
  !["isUnspecified", "isLoopback", "isLinkLocalUnicast"].some((name) => tests[name]?.(bytes) === true);

function holdsNetwork(outer: Network, inner: Network): boolean {
  return outer.bits <= inner.bits && networkHolds(outer, inner.bytes);
}

/** Runs with the parsed text. */
const reading =
  (read: (text: string) => CelObject | CelFailure, run: (object: CelObject, other: CelObject) => boolean) =>
  (object: CelObject, text: string): boolean | CelFailure => {
    const other = read(text);
    return isFailure(other) ? other : run(object, other);
  };

const holdsIp = (object: CelObject, other: CelObject): boolean => networkHolds(networkOf(object), addressOf(other));
const holdsCidr = (object: CelObject, other: CelObject): boolean => holdsNetwork(networkOf(object), networkOf(other));

/** The overloads. */
export const networkFunctions: readonly Overload[] = [
  overload("string_to_ip", "ip(string) ip", toIp),
  overload("ip_family", "ip . family() int", (object: CelObject) => (addressOf(object).length === 4 ? 4n : 6n)),
  overload("ip_is_canonical", "ip.isCanonical(string) bool", (text: string) => {
    const read = toIp(text);
    return isFailure(read) ? read : printAddress(addressOf(read)) === text;
  }),
  ...Object.entries({ ...tests, isGlobalUnicast }).map(([name, holds]) =>
    overload(`ip_${name}`, `ip . ${name}() bool`, (object: CelObject) => holds(addressOf(object))),
  ),
  overload("is_ip", "isIP(string) bool", (text: string) => !("problem" in readAddress(text))),
  overload("ip_to_string", "string(ip) string", (object: CelObject) => printAddress(addressOf(object))),
  overload("string_to_cidr", "cidr(string) cidr", toCidr),
  overload("is_cidr", "isCIDR(string) bool", (text: string) => !("problem" in readNetwork(text))),
  overload("cidr_contains_ip_string", "cidr . containsIP(string) bool", reading(toIp, holdsIp)),
  overload("cidr_contains_ip_ip", "cidr . containsIP(ip) bool", holdsIp),
  overload("cidr_contains_cidr_string", "cidr . containsCIDR(string) bool", reading(toCidr, holdsCidr)),
  overload("cidr_contains_cidr", "cidr . containsCIDR(cidr) bool", holdsCidr),
  overload("cidr_ip", "cidr . ip() ip", (object: CelObject) => ipValue(networkOf(object).bytes)),
  overload("cidr_prefix_length", "cidr . prefixLength() int", (object: CelObject) => BigInt(networkOf(object).bits)),
  overload("cidr_masked", "cidr . masked() cidr", (object: CelObject) =>
    cidrValue({ bytes: maskAddress(networkOf(object).bytes, networkOf(object).bits), bits: networkOf(object).bits }),
  ),
  overload("cidr_to_string", "string(cidr) string", (object: CelObject) => printNetwork(networkOf(object))),
];
