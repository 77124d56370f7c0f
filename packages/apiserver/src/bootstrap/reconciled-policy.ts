/**
 * What becomes of an existing role or binding of the bootstrap policy when the server starts: it keeps what was added to it, and gets
 * back what it lacks.
 */
import type { ClusterRole, ClusterRoleBinding, Subject } from "@drover/api/rbac/v1";
import { jsonEqual } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { uncoveredRules } from "../access/rbac/rule-cover.ts";

/** An object with the value "false" is left alone. */
const autoUpdate = "rbac.authorization.kubernetes.io/autoupdate";

/** "recreated": the role of a binding cannot be changed. */
export type Reconciled =
  | { readonly kind: "unchanged" | "recreated" }
  | { readonly kind: "changed"; readonly object: DeepReadonly<ClusterRole | ClusterRoleBinding> };

const unchanged: Reconciled = { kind: "unchanged" };

/** Works for roles and cluster roles alike. */
export function reconciledRole(existing: DeepReadonly<ClusterRole>, wanted: DeepReadonly<ClusterRole>): Reconciled {
  if (isProtected(existing)) return unchanged;
  // The rules of an aggregated role are those of other roles.
  const missing = wanted.aggregationRule === undefined ? uncoveredRules(existing.rules ?? [], wanted.rules ?? []) : [];
  const selectors = existing.aggregationRule?.clusterRoleSelectors ?? [];
  const missingSelectors = (wanted.aggregationRule?.clusterRoleSelectors ?? []).filter(
    (selector) => !selectors.some((one) => jsonEqual(one, selector)),
  );
  const metadata = reconciledMetadata(existing, wanted);
  if (metadata === existing.metadata && missing.length + missingSelectors.length === 0) return unchanged;
  return {
    kind: "changed",
    object: {
      ...existing,
      metadata,
      ...(missing.length === 0 ? {} : { rules: [...(existing.rules ?? []), ...missing] }),
      ...(missingSelectors.length === 0 ? {} : { aggregationRule: { clusterRoleSelectors: [...selectors, ...missingSelectors] } }),
    },
  };
}

/** Works for role bindings and cluster role bindings alike. */
export function reconciledBinding(existing: DeepReadonly<ClusterRoleBinding>, wanted: DeepReadonly<ClusterRoleBinding>): Reconciled {
  if (isProtected(existing)) return unchanged;
  if (!jsonEqual(existing.roleRef, wanted.roleRef)) return { kind: "recreated" };
  const subjects: readonly DeepReadonly<Subject>[] = existing.subjects ?? [];
  const missing = (wanted.subjects ?? []).filter((subject) => !subjects.some((one) => jsonEqual(one, subject)));
  const metadata = reconciledMetadata(existing, wanted);
  if (metadata === existing.metadata && missing.length === 0) return unchanged;
  return { kind: "changed", object: { ...existing, metadata, ...(missing.length === 0 ? {} : { subjects: [...subjects, ...missing] }) } };
}

type Described = Pick<DeepReadonly<ClusterRole>, "metadata">;

const isProtected = ({ metadata }: Described): boolean => metadata.annotations?.[autoUpdate] === "false";

/** Adds missing labels and annotations; values that differ stay. Returns the same metadata if none is missing. */
function reconciledMetadata({ metadata }: Described, { metadata: wanted }: Described): Described["metadata"] {
  const labels = { ...wanted.labels, ...metadata.labels };
  const annotations = { ...wanted.annotations, ...metadata.annotations };
  const size = (map: Readonly<Record<string, string>> = {}): number => Object.keys(map).length;
  if (size(labels) === size(metadata.labels) && size(annotations) === size(metadata.annotations)) return metadata;
  return { ...metadata, labels, annotations };
}
