/** Validates endpoint addresses of Endpoints, EndpointSlice and Service (external IPs). */
import { fieldInvalid, isIpv4, parseIpAddress } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";

/** Refuses unspecified, loopback and link-local addresses. */
export function validateEndpointAddress(value: string, path: FieldPath): FieldError[] {
  const address = parseIpAddress(value);
  if (address === undefined) return [fieldInvalid(path, value, "must be a valid IP address")];
  const problems = isIpv4(address) ? problems4(value, address.bytes.slice(12)) : problems6(value, address.bytes);
  return problems.map((problem) => fieldInvalid(path, value, problem));
}

const loopback = "may not be in the loopback range (127.0.0.0/8, ::1/128)";
const linkLocal = "may not be in the link-local range (169.254.0.0/16, fe80::/10)";
const linkLocalMulticast = "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)";
const unspecified = (value: string): string => `may not be unspecified (${value})`;

function problems4(value: string, bytes: readonly number[]): string[] {
  if (bytes.every((byte) => byte === 0)) return [unspecified(value)];
  if (bytes[0] === 127) return [loopback];
  if (bytes[0] === 169 && bytes[1] === 254) return [linkLocal];
  return bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0 ? [linkLocalMulticast] : [];
}

function problems6(value: string, bytes: readonly number[]): string[] {
  const [first = 0, second = 0] = bytes;
  if (bytes.slice(0, 15).every((byte) => byte === 0)) {
    if (bytes[15] === 0) return [unspecified(value)];
    if (bytes[15] === 1) return [loopback];
  }
  if (first === 0xfe && (second & 0xc0) === 0x80) return [linkLocal];
  return first === 0xff && (second & 0x0f) === 0x02 ? [linkLocalMulticast] : [];
}
