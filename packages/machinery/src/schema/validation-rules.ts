/** The keyword x-kubernetes-validations apart from CEL: required fields, and whether its path exists. */
import { fieldInvalid, fieldNotSupported, fieldRequired, type FieldError } from "../field/field-error.ts";
import { fieldChild, fieldIndex, type FieldPath } from "../field/field-path.ts";
import { getOwn } from "../json/own.ts";
import type { UncheckedSchema, ValidationRule } from "./schema.ts";
import { additionalOf } from "./structure-rules.ts";
import { unsupportedKeyword } from "./unsupported-keyword.ts";

const reasons: readonly string[] = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/** Checks the rules of one schema, apart from their expressions. */
export function checkValidationRules(
  schema: UncheckedSchema,
  { path, errors }: { readonly path: FieldPath; readonly errors: FieldError[] },
): void {
  for (const [index, rule] of (schema["x-kubernetes-validations"] ?? []).entries()) {
    const rulePath = fieldIndex(fieldChild(path, "x-kubernetes-validations"), index);
    errors.push(...ruleErrors(rule, rulePath), ...fieldPathErrors(rule.fieldPath ?? "", schema, fieldChild(rulePath, "fieldPath")));
  }
}

function ruleErrors({ rule, message = "", messageExpression = "", reason }: ValidationRule, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const messagePath = fieldChild(path, "message");
  if (rule.trim() === "") errors.push(fieldRequired(fieldChild(path, "rule"), "rule is not specified"));
  else if (message !== "" && message.trim() === "") errors.push(fieldInvalid(messagePath, message, "must be non-empty if specified"));
  else if (hasNewlines(message.trim())) errors.push(fieldInvalid(messagePath, message, "must not contain line breaks"));
  else if (hasNewlines(rule.trim()) && message.trim() === "")
    errors.push(fieldRequired(messagePath, "message must be specified if rule contains line breaks"));
  if (messageExpression !== "" && messageExpression.trim() === "")
    errors.push(fieldRequired(fieldChild(path, "messageExpression"), "messageExpression must be non-empty if specified"));
  if (reason !== undefined && !reasons.includes(reason)) errors.push(fieldNotSupported(fieldChild(path, "reason"), reason, reasons));
  return errors;
}

const hasNewlines = (text: string): boolean => /[\n\r]/.test(text);

function fieldPathErrors(fieldPath: string, schema: UncheckedSchema, path: FieldPath): FieldError[] {
  if (fieldPath === "") return [];
  const details = [
    ...(fieldPath.trim() === "" ? ["must be non-empty if specified"] : []),
    ...(hasNewlines(fieldPath) ? ["must not contain line breaks"] : []),
    ...(unsupportedKeyword(schema) !== undefined || leadsToField(fieldPath, schema) ? [] : ["must be a valid path"]),
  ];
  return details.map((detail) => fieldInvalid(path, fieldPath, detail));
}

/** Whether a path like `.spec.names['a.b']` names a field of the schema. */
function leadsToField(fieldPath: string, root: UncheckedSchema): boolean {
  const tokens = fieldPath.match(/'(?:[^'\\]|\\[^])*'|'[^]*|[.[\]]|[^.[\]']+[^.[\]]*/g) ?? [];
  let schema: UncheckedSchema | undefined = root;
  for (let at = 0; at < tokens.length; at++) {
    const opening = tokens[at];
    const token = tokens[++at];
    if (token === undefined || (opening !== "." && opening !== "[")) return false;
    const name = opening === "." ? token : unquoted(token);
    if (name === undefined || schema === undefined) return false;
    schema = Object.keys(schema.properties ?? {}).length > 0 ? getOwn(schema.properties ?? {}, name) : additionalOf(schema);
    if (schema === undefined) return false;
    if (opening === "[" && tokens[++at] !== "]") return false;
  }
  return true;
}

function unquoted(token: string): string | undefined {
  if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'")) return undefined;
  const inner = token.slice(1, -1);
  if (/\\[^abfnrtv'\\]/.test(inner)) return undefined;
  const controls: ReadonlyMap<string, string> = new Map([
    ["a", "\u0007"],
    ["b", "\b"],
    ["f", "\f"],
    ["n", "\n"],
    ["r", "\r"],
    ["t", "\t"],
    ["v", "\v"],
  ]);
  return inner.replaceAll(/\\(.)/g, (_whole, char: string) => controls.get(char) ?? char);
}
