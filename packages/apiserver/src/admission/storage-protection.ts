/** StorageObjectInUseProtection: adds the protection finalizers to new volumes, claims and attribute classes. */
import { metaOf } from "../registry/meta-of.ts";
import type { AdmissionPlugin } from "./admission.ts";

/** By resource. */
const finalizers: ReadonlyMap<string, { readonly group: string; readonly finalizer: string }> = new Map([
  ["persistentvolumes", { group: "", finalizer: "kubernetes.io/pv-protection" }],
  ["persistentvolumeclaims", { group: "", finalizer: "kubernetes.io/pvc-protection" }],
  ["volumeattributesclasses", { group: "storage.k8s.io", finalizer: "kubernetes.io/vac-protection" }],
]);

export const storageObjectInUseProtection: AdmissionPlugin = {
  name: "StorageObjectInUseProtection",
  mutate: ({ operation, resource: { kind }, subresource, object }) => {
    if (object === undefined || operation !== "CREATE" || subresource !== "") return;
    const found = finalizers.get(kind.plural);
    if (found?.group !== kind.group) return;
    const { finalizer } = found;
    const meta = metaOf(object);
    const given = meta.finalizers ?? [];
    if (!given.includes(finalizer)) meta.finalizers = [...given, finalizer];
  },
};
