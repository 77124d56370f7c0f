/** StorageObjectInUseProtection: adds the protection finalizers to new volumes and claims. */
import { metaOf } from "../registry/meta-of.ts";
import type { AdmissionPlugin } from "./admission.ts";

const finalizers: ReadonlyMap<string, string> = new Map([
  ["PersistentVolume", "kubernetes.io/pv-protection"],
  ["PersistentVolumeClaim", "kubernetes.io/pvc-protection"],
]);

export const storageObjectInUseProtection: AdmissionPlugin = {
  name: "StorageObjectInUseProtection",
  mutate: ({ operation, resource: { kind }, subresource, object }) => {
    const finalizer = kind.group === "" ? finalizers.get(kind.kind) : undefined;
    if (object === undefined || operation !== "CREATE" || subresource !== "" || finalizer === undefined) return;
    const meta = metaOf(object);
    const given = meta.finalizers ?? [];
    if (!given.includes(finalizer)) meta.finalizers = [...given, finalizer];
  },
};
