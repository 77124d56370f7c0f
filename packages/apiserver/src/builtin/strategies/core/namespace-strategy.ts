/**
 * Namespace: it is active until it is deleted, and then ends when the finalizers of its spec are gone, which only `finalize` can take away.
 *
 *     DELETE → markTerminating → the controller empties the namespace → PUT …/finalize
 */
import type { Namespace } from "@drover/api/core/v1";
import { deepCopy, setOwn, validateFinalizerName, validateStandardFinalizerName } from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { invalidName } from "../named-text.ts";

/** The finalizer every Namespace gets, which stands for what is in it. */
export const kubernetesFinalizer = "kubernetes";

/** What a Namespace becomes that is being deleted and is not gone yet. */
export function markTerminating(namespace: Namespace): void {
  namespace.status = { ...namespace.status, phase: "Terminating" };
}

/** The strategy of Namespaces. */
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

/** Every Namespace can be selected by its name. */
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
