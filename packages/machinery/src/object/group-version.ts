/** Names of kinds and resources. The core group is the empty string, and its `apiVersion` has no slash: "v1". */

export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}
export interface GroupVersionKind extends GroupVersion, GroupKind {}
export interface GroupVersionResource extends GroupVersion, GroupResource {}
