/** Names of keys, variables and headers, and short texts in specs: ports, percentages, identifiers. */
import { byteLength } from "../go/byte-text.ts";
import { dnsSubdomainBytesMax } from "./dns-name.ts";
import { emptyText, patternText, rangeText, tooLongText, wholePattern } from "./rule-text.ts";

const configMapKeyPattern = "[-._a-zA-Z0-9]+";
const envVarNamePattern = "[-._a-zA-Z][-._a-zA-Z0-9]*";
const headerNamePattern = "[-A-Za-z0-9]+";
const identifierPattern = "[A-Za-z_][A-Za-z0-9_]*";
const percentPattern = "[0-9]+%";

const configMapKeyRegExp = wholePattern(configMapKeyPattern);
const envVarNameRegExp = wholePattern(envVarNamePattern);
const headerNameRegExp = wholePattern(headerNamePattern);
const identifierRegExp = wholePattern(identifierPattern);
const percentRegExp = wholePattern(percentPattern);

const configMapKeyRule = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
const envVarNameRule =
  "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit";
const relaxedEnvVarNameRule = "a valid environment variable name must consist only of printable ASCII characters other than '='";
const headerNameRule = "a valid HTTP header must consist of alphanumeric characters or '-'";
const identifierRule =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'";
const percentRule = "a valid percent string must be a numeric string followed by an ending '%'";

const configMapKeyText = patternText(configMapKeyRule, configMapKeyPattern, "key.name", "KEY_NAME", "key-name");

/** A key of a ConfigMap or Secret, which may become a file name. */
export function checkConfigMapKey(value: string): string[] {
  const problems = byteLength(value) > dnsSubdomainBytesMax ? [tooLongText(dnsSubdomainBytesMax)] : [];
  if (!configMapKeyRegExp.test(value)) problems.push(configMapKeyText);
  return [...problems, ...checkDots(value)];
}

/** Name of an environment variable under the old, strict rule. */
export function checkEnvVarName(value: string): string[] {
  const problems = envVarNameRegExp.test(value)
    ? []
    : [patternText(envVarNameRule, envVarNamePattern, "my.env-name", "MY_ENV.NAME", "MyEnvName1")];
  return [...problems, ...checkDots(value)];
}

/** Name of an environment variable: printable ASCII without `=`. */
export function checkRelaxedEnvVarName(value: string): string[] {
  if (value === "") return [`environment variable name ${emptyText}`];
  return /^[ -<>-~]+$/.test(value) ? [] : [relaxedEnvVarNameRule];
}

/** Name of an HTTP header. */
export function checkHttpHeaderName(value: string): string[] {
  return headerNameRegExp.test(value) ? [] : [patternText(headerNameRule, headerNamePattern, "X-Header-Name")];
}

/** An identifier as in C. */
export function checkCIdentifier(value: string): string[] {
  return identifierRegExp.test(value) ? [] : [patternText(identifierRule, identifierPattern, "my_name", "MY_NAME", "MyName")];
}

/** A percentage: `25%`. */
export function checkPercent(value: string): string[] {
  return percentRegExp.test(value) ? [] : [patternText(percentRule, percentPattern, "1%", "93%")];
}

/** Name of a port: at most 15 of a-z, 0-9 and hyphens, with at least one letter. */
export function checkPortName(value: string): string[] {
  const problems: string[] = [];
  if (byteLength(value) > 15) problems.push(tooLongText(15));
  if (!/^[-a-z0-9]+$/.test(value)) problems.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  if (!/[a-z]/.test(value)) problems.push("must contain at least one letter (a-z)");
  if (value.includes("--")) problems.push("must not contain consecutive hyphens");
  if (value.startsWith("-") || value.endsWith("-")) problems.push("must not begin or end with a hyphen");
  return problems;
}

/** Number of a port, 1 to 65535. */
export function checkPortNumber(value: number): string[] {
  return checkRange(value, 1, 65535);
}

/** A number within a range, both ends included. */
export function checkRange(value: number, low: number, high: number): string[] {
  return value >= low && value <= high ? [] : [rangeText(low, high)];
}

/** A Unix user or group id. */
export function checkUnixId(value: number): string[] {
  return checkRange(value, 0, 2 ** 31 - 1);
}

function checkDots(value: string): string[] {
  if (value === "." || value === "..") return [`must not be '${value}'`];
  return value.startsWith("..") ? ["must not start with '..'"] : [];
}
