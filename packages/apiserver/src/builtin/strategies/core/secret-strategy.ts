/** The strategy of Secret: required keys by type, immutable type, `immutable`. */
import type { Secret } from "@drover/api/core/v1";
import {
  checkConfigMapKey,
  errorsOfEach,
  decodeJson,
  fieldForbidden,
  fieldInvalid,
  fieldKey,
  fieldRequired,
  fieldTooLong,
  getOwn,
  isJsonObject,
  JsonError,
  semanticEqual,
} from "@drover/machinery";
import type { DeepReadonly, FieldError } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { problemsOf } from "../checked-field.ts";
import { validateMetadataAgain } from "../metadata-again.ts";
import { invalidName } from "../named-text.ts";
import { binaryLength, decodeBinary } from "./binary-data.ts";
import { dataBytesMax, immutableDataText } from "./config-map-strategy.ts";

/** The strategy of Secret. */
export const secretStrategy: Strategy<Secret> = {
  validate: validateSecret,
  warningsOnCreate: secretWarnings,
  prepareForUpdate: (secret, old) => {
    if ((secret.type ?? "") === "" && old.type !== undefined) secret.type = old.type;
  },
  validateUpdate: validateSecretUpdate,
  warningsOnUpdate: secretWarnings,
};

function validateSecret(secret: DeepReadonly<Secret>): FieldError[] {
  const entries = Object.entries(secret.data ?? {});
  const size = entries.reduce((sum, [, value]) => sum + binaryLength(value), 0);
  return [
    ...errorsOfEach(entries, ([key]) => problemsOf(fieldKey("data", key), key, checkConfigMapKey(key))),
    ...(size > dataBytesMax ? [fieldTooLong("data", dataBytesMax)] : []),
    ...validateType(secret),
  ];
}

function validateType({ type, data = {}, metadata }: DeepReadonly<Secret>): FieldError[] {
  const missing = (...keys: string[]): FieldError[] =>
    keys.filter((key) => !Object.hasOwn(data, key)).map((key) => fieldRequired(fieldKey("data", key)));
  const account = "kubernetes.io/service-account.name";
  switch (type) {
    case "kubernetes.io/service-account-token":
      return (getOwn(metadata.annotations ?? {}, account) ?? "") === "" ? [fieldRequired(fieldKey("metadata.annotations", account))] : [];
    case "kubernetes.io/dockercfg":
      return validateJsonObject(data, ".dockercfg");
    case "kubernetes.io/dockerconfigjson":
      return validateJsonObject(data, ".dockerconfigjson");
    case "kubernetes.io/basic-auth": {
      const errors = missing("username", "password");
      return errors.length === 2 ? errors : [];
    }
    case "kubernetes.io/ssh-auth":
      return (getOwn(data, "ssh-privatekey") ?? "") === "" ? [fieldRequired(fieldKey("data", "ssh-privatekey"))] : [];
    case "kubernetes.io/tls":
      return missing("tls.crt", "tls.key");
    case undefined:
    default:
      return [];
  }
}

function validateJsonObject(data: Readonly<Record<string, string>>, key: string): FieldError[] {
  const path = fieldKey("data", key);
  const value = getOwn(data, key);
  if (value === undefined) return [fieldRequired(path)];
  const problem = findJsonProblem(decodeBinary(value));
  return problem === undefined ? [] : [fieldInvalid(path, "<secret contents redacted>", problem)];
}

/** Returns Go's error for bytes that are not a JSON object; `null` is accepted. */
function findJsonProblem(bytes: Uint8Array): string | undefined {
  try {
    const value = decodeJson(bytes);
    if (value === null || isJsonObject(value)) return undefined;
    const found = Array.isArray(value)
      ? "array"
      : typeof value === "bigint"
        ? "number"
        : typeof value === "boolean"
          ? "bool"
          : typeof value;
    return `json: cannot unmarshal ${found} into Go value of type map[string]interface {}`;
  } catch (error) {
    if (error instanceof JsonError) return error.detail;
    throw error;
  }
}

function validateSecretUpdate(secret: DeepReadonly<Secret>, old: DeepReadonly<Secret>): FieldError[] {
  const errors = secret.type === old.type ? [] : [invalidName("type", secret.type ?? "", "field is immutable")];
  if (old.immutable === true) {
    if (secret.immutable !== true) errors.push(fieldForbidden("immutable", immutableDataText));
    if (!semanticEqual(secret.data, old.data)) errors.push(fieldForbidden("data", immutableDataText));
  }
  return [...errors, ...validateMetadataAgain(secret.metadata), ...validateSecret(secret)];
}

/** Checks only that certificate and key are present, not that they match. */
function secretWarnings({ type, data = {} }: DeepReadonly<Secret>): string[] {
  if (type !== "kubernetes.io/tls") return [];
  const hasPem = (key: string): boolean => new TextDecoder().decode(decodeBinary(getOwn(data, key) ?? "")).includes("-----BEGIN ");
  if (!hasPem("tls.crt")) return ["tls: failed to find any PEM data in certificate input"];
  return hasPem("tls.key") ? [] : ["tls: failed to find any PEM data in key input"];
}
