/** The scope of an endpoint for managed fields and server-side apply. */
import { apiVersionOf, excludeFields, fieldSetFrom, parseGroupVersion } from "@drover/machinery";
import type { ApplyScope, FieldFilter } from "@drover/machinery";
import type { Registry } from "./registry.ts";
import type { Resource } from "./resource.ts";

/** Returns the scope of a resource, or of a subresource that shows the same object. */
export function applyScopeOf(resource: Resource, subresource: string, registry: Registry): ApplyScope {
  const { kind, mergeType, emptyObject, codec } = resource;
  const apiVersion = apiVersionOf(kind);
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
      const served = inVersion(other);
      return served === undefined ? undefined : (served.filterOf ?? defaultFilterOf(served))(subresource);
    },
    setDefaults: (object) => codec.decodeValue(object, { keepsNulls: true }).object,
  };
}

/** A writer does not own fields that its endpoint cannot change. */
function defaultFilterOf({ kind, rules }: Resource): (subresource: string) => FieldFilter | undefined {
  return (subresource) => {
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
  };
}
