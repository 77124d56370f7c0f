/** Domain names as field values, alone and before a path: `example.com`, `acme.io/foo`. */
import { fieldInvalid, fieldRequired } from "../field/field-error.ts";
import type { FieldError } from "../field/field-error.ts";
import type { FieldPath } from "../field/field-path.ts";
import { checkDns1123Label, checkDns1123Subdomain } from "./dns-name.ts";
import { checkQualifiedName } from "./label.ts";
import { patternText, wholePattern } from "./rule-text.ts";

const httpPathPattern = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const httpPathRegExp = wholePattern(httpPathPattern);

/** A domain name of at least three segments, without a trailing dot. */
export function validateFullyQualifiedName(name: string, path: FieldPath): FieldError[] {
  if (name === "") return [fieldRequired(path)];
  const problems = checkDns1123Subdomain(name);
  if (problems.length > 0) return [fieldInvalid(path, name, problems.join(","))];
  return name.split(".").length < 3 ? [fieldInvalid(path, name, "should be a domain with at least three segments separated by dots")] : [];
}

/** A domain name of at least two segments, each a label; one trailing dot is fine. */
export function validateFullyQualifiedDomainName(name: string, path: FieldPath): FieldError[] {
  if (name === "") return [fieldRequired(path)];
  const bare = name.endsWith(".") ? name.slice(0, -1) : name;
  const problems = checkDns1123Subdomain(bare);
  if (problems.length > 0) return [fieldInvalid(path, bare, problems.join(","))];
  const labels = bare.split(".");
  if (labels.length < 2) return [fieldInvalid(path, bare, "should be a domain with at least two segments separated by dots")];
  for (const label of labels) {
    const wrong = checkDns1123Label(label);
    if (wrong.length > 0) return [fieldInvalid(path, label, wrong.join(","))];
  }
  return [];
}

/** A domain name, a slash, and an HTTP path: `acme.io/foo/bar`. */
export function validateDomainPrefixedPath(value: string, path: FieldPath): FieldError[] {
  if (value === "") return [fieldRequired(path)];
  const slash = value.indexOf("/");
  const host = value.slice(0, slash);
  const rest = value.slice(slash + 1);
  if (slash < 1 || rest === "") return [fieldInvalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  const errors = checkDns1123Subdomain(host).map((problem) => fieldInvalid(path, host, problem));
  if (!httpPathRegExp.test(rest)) errors.push(fieldInvalid(path, rest, patternText("Invalid path", httpPathPattern)));
  return errors;
}

/** A qualified name with a prefix: `acme.io/foo`. */
export function validateDomainPrefixedKey(key: string, path: FieldPath): FieldError[] {
  if (key === "") return [fieldRequired(path)];
  const problems = checkQualifiedName(key);
  if (problems.length > 0) return problems.map((problem) => fieldInvalid(path, key, problem));
  return key.includes("/") ? [] : [fieldInvalid(path, key, 'must be a domain-prefixed key (such as "acme.io/foo")')];
}
