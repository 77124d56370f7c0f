/** Namespaces bear their own name as a label, so that selectors can name them. */
import type { Namespace } from "@drover/api/core/v1";

export function setNamespaceDefaults(namespace: Namespace): void {
  const { metadata } = namespace;
  // One whose name is still to be generated gets the label together with the name.
  if (metadata.name) metadata.labels = { ...metadata.labels, "kubernetes.io/metadata.name": metadata.name };
  const status = (namespace.status ??= {});
  status.phase ||= "Active";
}
