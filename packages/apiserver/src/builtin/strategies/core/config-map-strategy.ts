/** ConfigMap: keys that can be files, a bound on the size, and nothing more to change once it is immutable. */
import type { ConfigMap } from "@drover/api/core/v1";
import { byteLength, checkConfigMapKey, fieldForbidden, fieldInvalid, fieldKey, fieldTooLong, semanticEqual } from "@drover/machinery";
import type { DeepReadonly, FieldError } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { problemsOf } from "../checked-field.ts";
import { validateMetadataAgain } from "../metadata-again.ts";
import { binaryLength } from "./binary-data.ts";

/** The most bytes that ConfigMaps and Secrets hold: 1 MiB. */
export const dataBytesMax: number = 1024 * 1024;

/** The message for whatever changes in an object that said it would not. */
export const immutableDataText = "field is immutable when `immutable` is set";

/** The strategy of ConfigMaps. */
export const configMapStrategy: Strategy<ConfigMap> = { validate: validateConfigMap, validateUpdate: validateConfigMapUpdate };

function validateConfigMap({ data, binaryData }: DeepReadonly<ConfigMap>): FieldError[] {
  const texts = Object.entries(data ?? {});
  const binaries = Object.entries(binaryData ?? {});
  const size =
    texts.reduce((sum, [, value]) => sum + byteLength(value), 0) + binaries.reduce((sum, [, value]) => sum + binaryLength(value), 0);
  return [
    ...texts.flatMap(([key]) => [
      ...problemsOf(fieldKey("data", key), key, checkConfigMapKey(key)),
      ...(Object.hasOwn(binaryData ?? {}, key) ? [fieldInvalid(fieldKey("data", key), key, "duplicate of key present in binaryData")] : []),
    ]),
    ...binaries.flatMap(([key]) => problemsOf(fieldKey("binaryData", key), key, checkConfigMapKey(key))),
    // The object as a whole has a field of its own in the server's messages.
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
