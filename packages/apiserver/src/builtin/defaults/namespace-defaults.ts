/** Defaults of Namespace: a label with its own name, for selectors. */
import type { Namespace } from "@drover/api/core/v1";

export function setNamespaceDefaults(namespace: Namespace): void {
  const { metadata } = namespace;
  // A generated name gets its label when it is generated.
  if (metadata.name) metadata.labels = { ...metadata.labels, "kubernetes.io/metadata.name": metadata.name };
  const status = (namespace.status ??= {});
  status.phase ||= "Active";
}
