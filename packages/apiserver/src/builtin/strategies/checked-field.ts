/** Field checks that many kinds share. */
import {
  checkDns1123Label,
  checkDns1123Subdomain,
  checkPathSegmentName,
  checkPortName,
  checkPortNumber,
  checkQualifiedName,
  fieldInvalid,
  fieldRequired,
  semanticEqual,
} from "@drover/machinery";
import type { FieldError, FieldPath, IntOrString } from "@drover/machinery";
import { unsupportedName } from "./named-text.ts";

/** The message for an immutable field. */
export const immutableText = "field is immutable";

/** Port protocols, in the order in which kube-apiserver lists them. */
export const protocols: readonly string[] = ["SCTP", "TCP", "UDP"];

/** Returns one error per problem. */
export function problemsOf(path: FieldPath, value: unknown, problems: readonly string[]): FieldError[] {
  return problems.map((problem) => fieldInvalid(path, value, problem));
}

/** The field must be semantically equal to its old value. */
export function validateImmutable(value: unknown, old: unknown, path: FieldPath): FieldError[] {
  return semanticEqual(value, old) ? [] : [fieldInvalid(path, value ?? null, immutableText)];
}

/** A required string that must pass `check`, if given. */
export function validateRequiredText(
  value: string | undefined,
  path: FieldPath,
  check: (text: string) => string[] = () => [],
): FieldError[] {
  return value === undefined || value === "" ? [fieldRequired(path)] : problemsOf(path, value, check(value));
}

/** A string that must be one of `choices`. */
export function validateChoice(value: string | undefined, path: FieldPath, choices: readonly string[]): FieldError[] {
  if (value === undefined || value === "") return [fieldRequired(path)];
  return choices.includes(value) ? [] : [unsupportedName(path, value, choices)];
}

/** An optional string that must be one of `choices`; "" is not. */
export function validateOptionalChoice(value: string | undefined, path: FieldPath, choices: readonly string[]): FieldError[] {
  return value === undefined || choices.includes(value) ? [] : [unsupportedName(path, value, choices)];
}

export function validateNonNegative(value: number | undefined, path: FieldPath): FieldError[] {
  return value !== undefined && value < 0 ? [fieldInvalid(path, value, "must be greater than or equal to 0")] : [];
}

export function validateLabelText(value: string, path: FieldPath): FieldError[] {
  return problemsOf(path, value, checkDns1123Label(value));
}

export function validateSubdomain(value: string, path: FieldPath): FieldError[] {
  return problemsOf(path, value, checkDns1123Subdomain(value));
}

export function validatePathSegment(value: string, path: FieldPath): FieldError[] {
  return problemsOf(path, value, checkPathSegmentName(value));
}

export function validateQualifiedName(value: string, path: FieldPath): FieldError[] {
  return problemsOf(path, value, checkQualifiedName(value));
}

/** A port number or port name. */
export function validatePort(value: IntOrString, path: FieldPath): FieldError[] {
  return problemsOf(path, value, typeof value === "number" ? checkPortNumber(value) : checkPortName(value));
}
