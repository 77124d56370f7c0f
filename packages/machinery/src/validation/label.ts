/** Label keys and values. A label key is a qualified name; finalizers and condition types are qualified names too. */
import { byteLength } from "../go/byte-text.ts";
import { errorsOfEach } from "../field/errors-of-each.ts";
import { fieldInvalid } from "../field/field-error.ts";
import type { FieldError } from "../field/field-error.ts";
import type { FieldPath } from "../field/field-path.ts";
import { checkDns1123Subdomain } from "./dns-name.ts";
import { emptyText, patternText, tooLongText, wholePattern } from "./rule-text.ts";

const namePattern = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const valuePattern = `(${namePattern})?`;
const nameRegExp = wholePattern(namePattern);
const valueRegExp = wholePattern(valuePattern);
const nameRule = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const valueText = patternText(valueRule, valuePattern, "MyValue", "my_value", "12345");
const nameText = patternText(nameRule, namePattern, "MyName", "my.name", "123-abc");

/** Maximum length of a label key's name part, and of a label value. */
export const labelBytesMax = 63;

/** A name with an optional domain prefix: `app`, `app.kubernetes.io/name`. Label keys must be one. */
export function checkQualifiedName(value: string): string[] {
  const slash = value.indexOf("/");
  if (slash !== value.lastIndexOf("/"))
    return [`a valid label key ${nameText} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  const problems = slash < 0 ? [] : checkPrefix(value.slice(0, slash));
  const name = value.slice(slash + 1);
  if (name === "") problems.push(`name part ${emptyText}`);
  else if (byteLength(name) > labelBytesMax) problems.push(`name part ${tooLongText(labelBytesMax, "bytes")}`);
  if (!nameRegExp.test(name)) problems.push(`name part ${nameText}`);
  return problems;
}

/** A label value: empty, or like the name part of a key. */
export function checkLabelValue(value: string): string[] {
  const problems = byteLength(value) > labelBytesMax ? [tooLongText(labelBytesMax, "bytes")] : [];
  if (!valueRegExp.test(value)) problems.push(valueText);
  return problems;
}

/** A label key as a field value. */
export function validateLabelName(name: string, path: FieldPath): FieldError[] {
  return checkQualifiedName(name).map((problem) => fieldInvalid(path, name, problem));
}

/** Validates all labels of an object. Errors are in the order of the labels; the server's order is random. */
export function validateLabels(labels: Readonly<Record<string, string>> | undefined, path: FieldPath): FieldError[] {
  return errorsOfEach(Object.entries(labels ?? {}), ([key, value]) => [
    ...validateLabelName(key, path),
    ...checkLabelValue(value).map((problem) => fieldInvalid(path, value, problem)),
  ]);
}

function checkPrefix(prefix: string): string[] {
  return prefix === "" ? [`prefix part ${emptyText}`] : checkDns1123Subdomain(prefix, "bytes").map((problem) => `prefix part ${problem}`);
}
