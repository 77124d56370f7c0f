/** What some kinds say of the metadata of a changed object besides what is said of all: they judge a change like a new object as well. */
import { checkSubdomainName, validateObjectMeta, validateStandardFinalizerName } from "@drover/machinery";
import type { DeepReadonly, FieldError, ObjectMeta } from "@drover/machinery";

/** Everything that is wrong with the metadata, once more, at the place where the kind says it. */
export const validateMetadataAgain = (metadata: DeepReadonly<ObjectMeta>): FieldError[] => [
  ...validateObjectMeta(metadata, { namespaced: true, checkName: checkSubdomainName }),
  ...(metadata.finalizers ?? []).flatMap((name, index) => validateStandardFinalizerName(name, `metadata.finalizers[${index}]`)),
];
