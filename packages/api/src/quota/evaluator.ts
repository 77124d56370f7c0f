/**
 * How the objects of one resource count against quotas.
 *
 *     object → QuotaEvaluator.usage → Amounts;   quota, object → isInScopes
 */
import { Quantity } from "@drover/machinery";
import type { DeepReadonly, GroupResource } from "@drover/machinery";
import type { ResourceQuota, ScopedResourceSelectorRequirement } from "../core/v1.ts";
import type { Amounts } from "./amounts.ts";

/** One write of an object that may count. */
export interface QuotaWrite {
  readonly operation: "CREATE" | "UPDATE";
  /** "" for the object itself. */
  readonly subresource: string;
  readonly object: object;
  /** Undefined for creations. */
  readonly old: object | undefined;
}

export type ScopeRequirement = DeepReadonly<ScopedResourceSelectorRequirement>;

/** Objects that are passed to its members must be of its resource, in the version of `@drover/api`. */
export interface QuotaEvaluator {
  readonly resource: GroupResource;
  /** Whether objects count by their number alone: all alike, and in no scope. @default false */
  readonly countsOnly?: boolean;
  /** Whether a write may change what is used. */
  readonly handles: (write: QuotaWrite) => boolean;
  /** Returns the names that these objects count under, of those in a quota. */
  readonly matchingNames: (names: readonly string[]) => readonly string[];
  readonly matchesScope: (requirement: ScopeRequirement, object: object) => boolean;
  /** Returns what an object must declare to be counted under these names: "must specify cpu for: c". */
  readonly missing: (names: readonly string[], object: object) => string | undefined;
  /** Returns what an object uses. */
  readonly usage: (object: object) => Amounts;
}

/** The name under which all objects of a resource are counted: "count/deployments.apps". */
export const countName = ({ group, resource }: GroupResource): string => `count/${resource}${group === "" ? "" : `.${group}`}`;

const one = Quantity.of(1n);

/** An amount of one under each of the names. */
export const oneOfEach = (names: readonly string[]): Map<string, Quantity> => new Map(names.map((name) => [name, one]));

/** Counts objects, under the usual name and another that is older. */
export function countEvaluator(resource: GroupResource, alias?: string): QuotaEvaluator {
  const own = [countName(resource), ...(alias === undefined ? [] : [alias])];
  const usage = oneOfEach(own);
  return {
    resource,
    countsOnly: true,
    handles: ({ operation, subresource }) => operation === "CREATE" && subresource === "",
    matchingNames: (names) => names.filter((name) => own.includes(name)),
    matchesScope: () => false,
    missing: () => undefined,
    usage: () => usage,
  };
}

/** Returns the requirements that an object must meet to count against a quota. */
export function scopesOf({ spec }: DeepReadonly<ResourceQuota>): readonly ScopeRequirement[] {
  return [
    ...(spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: "Exists" as const })),
    ...(spec?.scopeSelector?.matchExpressions ?? []),
  ];
}

/** Whether an object is in all scopes of a quota. */
export function isInScopes({ matchesScope }: QuotaEvaluator, quota: DeepReadonly<ResourceQuota>, object: object): boolean {
  return scopesOf(quota).every((requirement) => matchesScope(requirement, object));
}

/** Whether a requirement holds for the values that an object has; several for a claim that changes its class. */
export function matchesValues({ operator, values = [] }: ScopeRequirement, present: readonly string[]): boolean {
  const isMatch = (value: string | undefined): boolean => {
    switch (operator) {
      case "In":
        return value !== undefined && values.includes(value);
      case "NotIn":
        return value === undefined || !values.includes(value);
      case "Exists":
        return value !== undefined;
      case "DoesNotExist":
      default:
        return value === undefined;
    }
  };
  return present.length === 0 ? isMatch(undefined) : present.some(isMatch);
}
