/** The strategy of ConfigMap: keys, size limit and `immutable`. */
import type { ConfigMap } from "@drover/api/core/v1";
import {
  byteLength,
  checkConfigMapKey,
  errorsOfEach,
  fieldForbidden,
  fieldInvalid,
  fieldKey,
  fieldTooLong,
  semanticEqual,
} from "@drover/machinery";
import type { DeepReadonly, FieldError } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { problemsOf } from "../checked-field.ts";
import { validateMetadataAgain } from "../metadata-again.ts";
import { binaryLength } from "./binary-data.ts";

/** Maximum number of bytes in a ConfigMap or Secret: 1 MiB. */
export const dataBytesMax: number = 1024 * 1024;

/** The message for a changed field of an immutable object. */
export const immutableDataText = "field is immutable when `immutable` is set";

/** The strategy of ConfigMap. */
export const configMapStrategy: Strategy<ConfigMap> = { validate: validateConfigMap, validateUpdate: validateConfigMapUpdate };

function validateConfigMap({ data, binaryData }: DeepReadonly<ConfigMap>): FieldError[] {
  const texts = Object.entries(data ?? {});
  const binaries = Object.entries(binaryData ?? {});
  const size =
    texts.reduce((sum, [, value]) => sum + byteLength(value), 0) + binaries.reduce((sum, [, value]) => sum + binaryLength(value), 0);
  return [
    ...errorsOfEach(texts, ([key]) => [
      ...problemsOf(fieldKey("data", key), key, checkConfigMapKey(key)),
      ...(Object.hasOwn(binaryData ?? {}, key) ? [fieldInvalid(fieldKey("data", key), key, "duplicate of key present in binaryData")] : []),
    ]),
    ...errorsOfEach(binaries, ([key]) => problemsOf(fieldKey("binaryData", key), key, checkConfigMapKey(key))),
    // kube-apiserver prints the path of the whole object as "[]".
    ...(size > dataBytesMax ? [fieldTooLong("[]", dataBytesMax)] : []),
  ];
}

function validateConfigMapUpdate(object: DeepReadonly<ConfigMap>, old: DeepReadonly<ConfigMap>): FieldError[] {
  const asNew = [...validateMetadataAgain(object.metadata), ...validateConfigMap(object)];
  if (old.immutable !== true) return asNew;
  return [
    ...(object.immutable === true ? [] : [fieldForbidden("immutable", immutableDataText)]),
    ...(semanticEqual(object.data, old.data) ? [] : [fieldForbidden("data", immutableDataText)]),
    ...(semanticEqual(object.binaryData, old.binaryData) ? [] : [fieldForbidden("binaryData", immutableDataText)]),
    ...asNew,
  ];
}
