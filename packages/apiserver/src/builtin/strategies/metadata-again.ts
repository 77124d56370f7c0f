/** Repeats metadata validation for kinds whose update validation includes that of a creation. */
import { checkSubdomainName, validateObjectMeta, validateStandardFinalizerName } from "@drover/machinery";
import type { DeepReadonly, FieldError, ObjectMeta } from "@drover/machinery";

/** Returns all metadata errors once more, at the position where the kind reports them. */
export const validateMetadataAgain = (metadata: DeepReadonly<ObjectMeta>): FieldError[] => [
  ...validateObjectMeta(metadata, { namespaced: true, checkName: checkSubdomainName }),
  ...(metadata.finalizers ?? []).flatMap((name, index) => validateStandardFinalizerName(name, `metadata.finalizers[${index}]`)),
];
