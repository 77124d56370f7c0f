/**
 * Options of a deletion, in the body or, without one, in the query.
 *
 *     DeleteOptions → encodeDeleteOptions → query → parseDeleteOptions → validateDeleteOptions
 */
import { fieldInvalid, fieldNotSupported } from "../field/field-error.ts";
import type { FieldError } from "../field/field-error.ts";
import { printGoJson } from "../json/go-json.ts";
import type { TypeMeta } from "../object/object.ts";
import { definedOnly } from "../json/defined-only.ts";
import type { AllMembers } from "../json/defined-only.ts";
import { encodeQuery, readBoolean, readInt64, readText } from "./query.ts";
import type { Query } from "./query.ts";
import { validateDryRun } from "./write-options.ts";

/** Restricts the deletion to the very object that was read. */
export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** What happens to dependents: orphaned, deleted afterwards, or deleted first. */
export type DeletionPropagation = "Orphan" | "Background" | "Foreground";

/** Also the body itself, in which `apiVersion` and `kind` are optional. */
export interface DeleteOptions extends Readonly<TypeMeta> {
  /** Grace period; 0 deletes at once. @default depends on the kind, 30 for a Pod */
  readonly gracePeriodSeconds?: number;
  /** @default none */
  readonly preconditions?: Preconditions;
  /** Deprecated form of "Orphan". @default none */
  readonly orphanDependents?: boolean;
  /** @default depends on the kind, mostly "Background" */
  readonly propagationPolicy?: DeletionPropagation;
  /** ["All"] for a dry run. @default no dry run */
  readonly dryRun?: readonly string[];
  /** Deletes an object that can no longer be decoded, without cleaning up. @default false */
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
}

/** Writes the query. */
export function encodeDeleteOptions(options: DeleteOptions): string {
  return encodeQuery([
    ["gracePeriodSeconds", options.gracePeriodSeconds],
    ["uid", options.preconditions?.uid],
    ["resourceVersion", options.preconditions?.resourceVersion],
    ["orphanDependents", options.orphanDependents],
    ["propagationPolicy", options.propagationPolicy],
    ...(options.dryRun ?? []).map((value) => ["dryRun", value || undefined] as const),
    ["ignoreStoreReadErrorWithClusterBreakingPotential", options.ignoreStoreReadErrorWithClusterBreakingPotential],
  ]);
}

/** Parses the query of a deletion without a body. Throws a `QueryError` for an invalid number. */
export function parseDeleteOptions(query: Query): DeleteOptions {
  const preconditions = definedOnly({
    uid: readText(query, "uid"),
    resourceVersion: readText(query, "resourceVersion"),
  } satisfies AllMembers<Preconditions>);
  return definedOnly({
    apiVersion: undefined,
    kind: undefined,
    gracePeriodSeconds: readInt64(query, "gracePeriodSeconds"),
    preconditions: Object.keys(preconditions).length > 0 ? preconditions : undefined,
    orphanDependents: readBoolean(query, "orphanDependents"),
    propagationPolicy: query.get("propagationPolicy")?.[0] as DeletionPropagation | undefined,
    dryRun: query.get("dryRun"),
    ignoreStoreReadErrorWithClusterBreakingPotential: readBoolean(query, "ignoreStoreReadErrorWithClusterBreakingPotential"),
  } satisfies AllMembers<DeleteOptions>);
}

/** Returns the errors of delete options. The server responds with 422, kind "DeleteOptions", group "meta.k8s.io", name "". */
export function validateDeleteOptions(options: DeleteOptions): FieldError[] {
  const { orphanDependents, propagationPolicy: policy, dryRun = [] } = options;
  const errors: FieldError[] = [];
  if (policy !== undefined) {
    const shown = { valueText: printGoJson(policy) };
    if (orphanDependents !== undefined) {
      errors.push({
        ...fieldInvalid("propagationPolicy", policy, "orphanDependents and deletionPropagation cannot be both set"),
        ...shown,
      });
    }
    if (!["Foreground", "Background", "Orphan"].includes(policy)) {
      errors.push({ ...fieldNotSupported("propagationPolicy", policy, ["Foreground", "Background", "Orphan", "nil"]), ...shown });
    }
  }
  return [...errors, ...validateDryRun(dryRun), ...validateIgnoreStoreReadError(options)];
}

const ignoreStoreReadError = "ignoreStoreReadErrorWithClusterBreakingPotential";

function validateIgnoreStoreReadError(options: DeleteOptions): FieldError[] {
  if (options[ignoreStoreReadError] !== true) return [];
  const others = [
    ["dryRun", (options.dryRun ?? []).length > 0],
    ["propagationPolicy", options.propagationPolicy !== undefined],
    ["orphanDependents", options.orphanDependents !== undefined],
    ["gracePeriodSeconds", options.gracePeriodSeconds !== undefined],
    ["preconditions", options.preconditions !== undefined],
  ] as const;
  return others
    .filter(([, isSet]) => isSet)
    .map(([name]) => fieldInvalid(ignoreStoreReadError, true, `cannot be set together with .${name}`));
}
