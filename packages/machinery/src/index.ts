export type { GroupKind, GroupResource, GroupVersion, GroupVersionKind, GroupVersionResource } from "./object/group-version.ts";
export type { Int64, KubeList, KubeObject, ListMeta, ManagedFieldsEntry, MicroTime, ObjectMeta, OwnerReference, Time, TypeMeta } from "./object/object.ts";
