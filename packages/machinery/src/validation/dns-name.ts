/**
 * DNS names, which most names in Kubernetes must be.
 *
 * In this folder `check…` takes a text and returns the server's messages, none for a valid text; `validate…` takes a value and its
 * path and returns field errors.
 */
import { byteLength } from "../go/byte-text.ts";
import { patternText, tooLongText, wholePattern } from "./rule-text.ts";

const labelPattern = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomainPattern = `${labelPattern}(\\.${labelPattern})*`;
const wildcardPattern = `\\*\\.${subdomainPattern}`;
const label1035Pattern = "[a-z]([-a-z0-9]*[a-z0-9])?";
const underscoreLabelPattern = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const underscorePattern = `${underscoreLabelPattern}(\\.${underscoreLabelPattern})*`;

const labelRegExp = wholePattern(labelPattern);
const subdomainRegExp = wholePattern(subdomainPattern);
const wildcardRegExp = wholePattern(wildcardPattern);
const label1035RegExp = wholePattern(label1035Pattern);
const underscoreRegExp = wholePattern(underscorePattern);

const labelRule =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const underscoreRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character";
const label1035Rule =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
const wildcardRule =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";

/** Maximum length of a DNS label. */
export const dnsLabelBytesMax = 63;
/** Maximum length of a domain name. */
export const dnsSubdomainBytesMax = 253;

/** A DNS label: `my-name`, `123-abc`. */
export function checkDns1123Label(value: string): string[] {
  const problems = checkLength(value, dnsLabelBytesMax);
  if (!labelRegExp.test(value))
    problems.push(subdomainRegExp.test(value) ? "must not contain dots" : patternText(labelRule, labelPattern, "my-name", "123-abc"));
  return problems;
}

/** A domain name in lower case: `example.com`. The message counts `unit`s; labels count bytes. */
export function checkDns1123Subdomain(value: string, unit: "bytes" | "characters" = "characters"): string[] {
  const problems = checkLength(value, dnsSubdomainBytesMax, unit);
  if (!subdomainRegExp.test(value)) problems.push(patternText(subdomainRule, subdomainPattern, "example.com"));
  return problems;
}

/** A domain name whose labels may also contain and start with an underscore: `_sip._tcp.example.com`. */
export function checkDns1123SubdomainWithUnderscore(value: string): string[] {
  const problems = checkLength(value, dnsSubdomainBytesMax);
  if (!underscoreRegExp.test(value)) problems.push(patternText(underscoreRule, underscorePattern, "example.com"));
  return problems;
}

/** A domain name with a leading `*.`: `*.example.com`. */
export function checkWildcardDns1123Subdomain(value: string): string[] {
  const problems = checkLength(value, dnsSubdomainBytesMax);
  if (!wildcardRegExp.test(value)) problems.push(patternText(wildcardRule, wildcardPattern, "*.example.com"));
  return problems;
}

/** A label that starts with a letter: `my-name`, `abc-123`. */
export function checkDns1035Label(value: string): string[] {
  const problems = checkLength(value, dnsLabelBytesMax);
  if (!label1035RegExp.test(value)) problems.push(patternText(label1035Rule, label1035Pattern, "my-name", "abc-123"));
  return problems;
}

function checkLength(value: string, limit: number, unit: "bytes" | "characters" = "characters"): string[] {
  return byteLength(value) > limit ? [tooLongText(limit, unit)] : [];
}
