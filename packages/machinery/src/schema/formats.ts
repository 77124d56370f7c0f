/**
 * The string formats that the server knows, and where they apply. Names are compared without dashes: `datetime` is `date-time`.
 * Unknown formats are not errors and are not checked.
 */
import { byteLength } from "../go/byte-text.ts";
import { isEmail } from "./format-email.ts";
import { isCidr, isHostname, isIPv4Format, isIPv6Format, isMac } from "./format-network.ts";
import { isDate, isDateTime, isDuration } from "./format-time.ts";
import { isRequestUri } from "./format-uri.ts";

const matches =
  (pattern: RegExp) =>
  (text: string): boolean =>
    pattern.test(text);
const uuid = (third: string, fourth: string): ((text: string) => boolean) =>
  matches(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}[0-9a-f]{3}-?${fourth}[0-9a-f]{3}-?[0-9a-f]{12}$`, "i"));
const channel = "(?:0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])";
const space = "[\\t\\n\\f\\r ]*";
const shortName = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
const isShortName = matches(new RegExp(`^${shortName}$`));
const isLongName = matches(new RegExp(`^${shortName}(?:\\.${shortName})*$`));

const checks: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["bsonobjectid", matches(/^[0-9a-fA-F]{24}$/)],
  ["uri", isRequestUri],
  ["email", isEmail],
  ["hostname", isHostname],
  ["ipv4", isIPv4Format],
  ["ipv6", isIPv6Format],
  ["cidr", isCidr],
  ["mac", isMac],
  ["uuid", uuid("[0-9a-f]", "[0-9a-f]")],
  ["uuid3", uuid("3", "[0-9a-f]")],
  ["uuid4", uuid("4", "[89ab]")],
  ["uuid5", uuid("5", "[89ab]")],
  ["isbn", (text) => isIsbn10(text) || isIsbn13(text)],
  ["isbn10", isIsbn10],
  ["isbn13", isIsbn13],
  ["creditcard", isCreditCard],
  ["ssn", (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text)],
  ["hexcolor", matches(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ["rgbcolor", matches(new RegExp(`^rgb\\(${space}${channel}${space},${space}${channel}${space},${space}${channel}${space}\\)$`))],
  ["byte", (text) => text !== "" && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)],
  ["password", () => true],
  ["date", isDate],
  ["duration", isDuration],
  ["datetime", isDateTime],
  ["k8sshortname", (text) => byteLength(text) <= 63 && isShortName(text)],
  ["k8slongname", (text) => byteLength(text) <= 253 && isLongName(text)],
]);

const withoutDashes = (format: string): string => format.replaceAll("-", "");

/** Returns the check of a string format; undefined without one. */
export function formatCheck(format: string): ((text: string) => boolean) | undefined {
  return format === "" ? undefined : checks.get(withoutDashes(format));
}

/** Returns the format as far as the server checks it for these types: unknown ones, and known ones on the wrong type, become empty. */
export function effectiveFormat(format: string, types: readonly string[]): string {
  if (format === "") return "";
  switch (types.length === 1 ? (types[0] ?? "") : "") {
    case "":
    case "string":
      return checks.has(withoutDashes(format)) ? format : "";
    case "integer":
      return format === "int32" || format === "int64" ? format : "";
    case "number":
      return format === "float" || format === "double" ? format : "";
    default:
      return "";
  }
}

function isIsbn10(text: string): boolean {
  const digits = text.replaceAll(/[\t\n\f\r -]+/g, "");
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  return Array.from(digits).reduce((sum, digit, index) => sum + (index + 1) * (digit === "X" ? 10 : Number(digit)), 0) % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replaceAll(/[\t\n\f\r -]+/g, "");
  return (
    /^[0-9]{13}$/.test(digits) &&
    Array.from(digits).reduce((sum, digit, index) => sum + (index % 2 === 0 ? 1 : 3) * Number(digit), 0) % 10 === 0
  );
}

const cardNumber =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/[^0-9]+/g, "");
  if (!cardNumber.test(digits)) return false;
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
      return total + (value >= 10 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}
