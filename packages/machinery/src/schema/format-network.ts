/** The formats ipv4, ipv6, cidr, mac and hostname. */
import { byteLength } from "../go/byte-text.ts";

/** How addresses parse: `"sloppy"` allows leading zeros everywhere, because stored objects have them; `"strict"` does not. */
export type AddressReading = "strict" | "sloppy";

/** Dotted decimal, with any number of leading zeros. */
export const isIPv4Format = (text: string): boolean =>
  firstMark(text) === "." ? isIPv4(text, "sloppy") : text.includes(".") && isIPv6(text, "sloppy");

/** An IPv6 address without leading zeros beyond four digits and without a zone. */
export const isIPv6Format = (text: string): boolean => firstMark(text) === ":" && isIPv6(text, "strict");

/** An address and a prefix length, with optional leading zeros. */
export function isCidr(text: string): boolean {
  const slash = text.indexOf("/");
  if (slash < 0) return false;
  const address = text.slice(0, slash);
  const bits = decimal(text.slice(slash + 1));
  if (bits === undefined) return false;
  return isIPv4(address, "sloppy") ? bits <= 32 : isIPv6(address, "sloppy") && bits <= 128;
}

/** Four decimal numbers separated by dots. */
export function isIPv4(text: string, reading: AddressReading): boolean {
  const parts = text.split(".", 5);
  return (
    parts.length === 4 &&
    parts.every((part) => {
      const value = decimal(part);
      return value !== undefined && value <= 255 && (reading === "sloppy" || part.length === 1 || part[0] !== "0");
    })
  );
}

/** Without a zone. */
export function isIPv6(text: string, reading: AddressReading): boolean {
  const halves = text.split("::", 3);
  if (halves.length > 2) return false;
  const [head = "", tail] = halves;
  const front = groups(head, { reading, canEndInIPv4: tail === undefined });
  if (tail === undefined) return front === 8;
  const back = groups(tail, { reading, canEndInIPv4: true });
  // The "::" stands for one or more groups.
  return front !== undefined && back !== undefined && front + back <= 7;
}

/** Returns the number of 16-bit groups in a text between "::", or undefined when it is malformed. */
function groups(
  text: string,
  { reading, canEndInIPv4 }: { readonly reading: AddressReading; readonly canEndInIPv4: boolean },
): number | undefined {
  if (text === "") return 0;
  const parts = text.split(":", 10);
  const last = parts.at(-1) ?? "";
  const endsInIPv4 = canEndInIPv4 && last.includes(".");
  if (endsInIPv4 && !isIPv4(last, reading)) return undefined;
  const hex = endsInIPv4 ? parts.slice(0, -1) : parts;
  if (!hex.every((part) => (reading === "strict" ? /^[0-9a-fA-F]{1,4}$/ : /^0*[0-9a-fA-F]{1,4}$/).test(part))) return undefined;
  return hex.length + (endsInIPv4 ? 2 : 0);
}

function decimal(text: string): number | undefined {
  return /^[0-9]+$/.test(text) ? Number(text) : undefined;
}

function firstMark(text: string): string | undefined {
  return /[.:]/.exec(text)?.[0];
}

const macForms: readonly RegExp[] = [6, 8, 20].flatMap((octets) => [
  new RegExp(`^[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\\1){${octets - 2}}[0-9a-f]{2}$`, "i"),
  new RegExp(`^(?:[0-9a-f]{4}\\.){${octets / 2 - 1}}[0-9a-f]{4}$`, "i"),
  new RegExp(`^[0-9a-f]{${octets * 2}}$`, "i"),
]);

/** 6, 8 or 20 octets, in pairs with colons or dashes, in fours with dots, or without separators. */
export const isMac = (text: string): boolean => macForms.some((form) => form.test(text));

/** One label, or several with a top-level domain of letters; letters and symbols of any script. At most 255 bytes, 63 per label. */
export function isHostname(text: string): boolean {
  return byteLength(text) <= 255 && hasHostnameForm(text) && text.split(".").every((label) => byteLength(label) <= 63);
}

// In a function: the Unicode tables behind it take a millisecond to read, and few programs need them.
const hasHostnameForm = (text: string): boolean =>
  /^(?:[\p{L}0-9\p{S}](?:-?[\p{L}0-9\p{S}]{0,62})?|(?:[\p{L}0-9\p{S}](?:[\p{L}0-9\p{S}-]{0,61}[\p{L}0-9\p{S}])?\.)+[\p{L}]{2,63})$/u.test(
    text,
  );
