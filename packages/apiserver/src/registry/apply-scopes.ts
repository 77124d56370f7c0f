/** The scopes of endpoints for managed fields and server-side apply. */
import { apiVersionOf, excludeFields, fieldSetFrom, parseGroupVersion } from "@drover/machinery";
import type { ApplyScope, FieldFilter } from "@drover/machinery";
import type { Registry } from "./registry.ts";
import type { Resource } from "./resource.ts";

/** The scopes of all endpoints, each made once: every write needs one. */
export class ApplyScopes {
  readonly #registry: Registry;
  readonly #scopes = new WeakMap<Resource, Map<string, ApplyScope>>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Returns the scope of a resource, or of a subresource that shows the same object. Assumes a subresource that the kind has. */
  of(resource: Resource, subresource: string): ApplyScope {
    const scopes = this.#scopes.get(resource) ?? new Map<string, ApplyScope>();
    const known = scopes.get(subresource);
    if (known !== undefined) return known;
    const scope = applyScope(resource, subresource, this.#registry);
    this.#scopes.set(resource, scopes.set(subresource, scope));
    return scope;
  }
}

function applyScope(resource: Resource, subresource: string, registry: Registry): ApplyScope {
  const { kind, mergeType, emptyObject, codec } = resource;
  const apiVersion = apiVersionOf(kind);
  const ownFilter = filterOf(resource, subresource);
  const inVersion = (other: string): Resource | undefined => {
    if (other === apiVersion) return resource;
    const { group, version } = parseGroupVersion(other);
    return group === kind.group ? registry.inVersion(resource, version) : undefined;
  };
  return {
    apiVersion,
    kind: kind.kind,
    subresource,
    emptyObject,
    typeOf: (other) => (other === apiVersion ? mergeType : inVersion(other)?.mergeType),
    convert: (object, other) => {
      const target = inVersion(other);
      if (target === undefined) return undefined;
      const stored = resource.conversion?.toStored(object) ?? object;
      return { ...(target.conversion?.fromStored(stored) ?? stored), apiVersion: other };
    },
    filterOf: (other) => {
      if (other === apiVersion) return ownFilter;
      const served = inVersion(other);
      return served === undefined ? undefined : filterOf(served, subresource);
    },
    setDefaults: (object) => codec.decodeValue(object, { keepsNulls: true }).object,
  };
}

const filterOf = (resource: Resource, subresource: string): FieldFilter | undefined =>
  resource.filterOf === undefined ? defaultFilter(resource, subresource) : resource.filterOf(subresource);

/** A writer does not own fields that its endpoint cannot change. */
function defaultFilter({ kind, rules }: Resource, subresource: string): FieldFilter | undefined {
  const reset = rules.resetFields?.[subresource];
  if (reset !== undefined) return excludeFields(fieldSetFrom(reset));
  if (!Object.hasOwn(kind.subresources, "status")) return undefined;
  if (subresource === "") return excludeFields(fieldSetFrom([["f:status"]]));
  if (subresource !== "status") return undefined;
  const metadata = {
    none: [["f:metadata"]],
    annotations: [["f:metadata", "f:labels"]],
    "all-but-owners": [
      ["f:metadata", "f:ownerReferences"],
      ["f:metadata", "f:deletionTimestamp"],
    ],
    all: [],
  }[rules.statusMetadata];
  return excludeFields(fieldSetFrom([["f:spec"], ...metadata]));
}
