/**
 * The strategy of Namespace: a deleted one is Terminating until `spec.finalizers` is empty, which only `finalize` changes.
 *
 *     DELETE → markTerminating → the controller empties the namespace → PUT …/finalize
 */
import type { Namespace } from "@drover/api/core/v1";
import { deepCopy, setOwn, validateFinalizerName, validateStandardFinalizerName } from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { invalidName } from "../named-text.ts";

/** The finalizer that every Namespace gets; it stands for the namespace's contents. */
export const kubernetesFinalizer = "kubernetes";

/** Marks a deleted Namespace that still has finalizers. */
export function markTerminating(namespace: Namespace): void {
  namespace.status = { ...namespace.status, phase: "Terminating" };
}

/** The strategy of Namespace. */
export const namespaceStrategy: Strategy<Namespace> = {
  prepareForCreate: (namespace) => {
    namespace.status = { phase: "Active" };
    const finalizers = namespace.spec?.finalizers ?? [];
    namespace.spec = {
      ...namespace.spec,
      finalizers: finalizers.includes(kubernetesFinalizer) ? finalizers : [...finalizers, kubernetesFinalizer],
    };
  },
  validate: (namespace) => validateFinalizers(namespace, () => "spec.finalizers"),
  prepareForUpdate: keepFinalizers,
  validateUpdate: (namespace) => validateFinalizers(namespace, () => "spec.finalizers"),
  canonicalize: nameLabel,
  markForDeletion: markTerminating,
  isHeldBack: ({ spec }) => (spec?.finalizers ?? []).length > 0,
  subresources: {
    status: { validateUpdate: validateStatus },
    finalize: {
      prepareForUpdate: (namespace, old) => {
        namespace.status = deepCopy(old.status ?? {});
      },
      validateUpdate: (namespace) => validateFinalizers(namespace, (index) => `spec.finalizers[${index}]`),
    },
  },
};

function keepFinalizers(namespace: Namespace, old: DeepReadonly<Namespace>): void {
  const { finalizers } = old.spec ?? {};
  const spec = (namespace.spec ??= {});
  if (finalizers === undefined) delete spec.finalizers;
  else spec.finalizers = [...finalizers];
}

/** Sets the label with the namespace's name. */
function nameLabel({ metadata }: Namespace): void {
  metadata.labels ??= {};
  setOwn(metadata.labels, "kubernetes.io/metadata.name", metadata.name ?? "");
}

function validateFinalizers(namespace: DeepReadonly<Namespace>, pathOf: (index: number) => FieldPath): FieldError[] {
  return (namespace.spec?.finalizers ?? []).flatMap((name, index) => [
    ...validateFinalizerName(name, pathOf(index)),
    ...validateStandardFinalizerName(name, pathOf(index)),
  ]);
}

function validateStatus({ metadata, status }: DeepReadonly<Namespace>): FieldError[] {
  const [phase, word] = metadata.deletionTimestamp === undefined ? ["Active", "empty"] : ["Terminating", "not empty"];
  if (status?.phase === phase) return [];
  return [invalidName("status.Phase", status?.phase ?? "", `may only be '${phase}' if \`deletionTimestamp\` is ${word}`)];
}
