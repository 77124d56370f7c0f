/**
 * Aggregated discovery: one document with all groups, versions and resources, in `apidiscovery.k8s.io/v2` or `v2beta1`,
 * which have the same fields.
 *
 *     APIGroupDiscoveryList → decodeAggregatedDiscovery → Discovered
 */
import { apiVersionOf, isJsonObject, parseContentType, setOwn } from "@drover/machinery";
import type { GroupVersion, GroupVersionKind, JsonObject, JsonValue } from "@drover/machinery";
import type { ApiGroup, ApiResource, ApiResourceList, ApiSubresource, Discovered, DiscoveryFailure } from "./api-group.ts";
import { StaleGroupVersionError } from "./discovery-error.ts";
import { listField, nameField, objectField, textField, textListField } from "./document-field.ts";

/** Reports whether a document is aggregated, by its content type or, behind a proxy that dropped the parameters, by the document itself. */
export function isAggregatedDiscovery(contentType: string, document: JsonValue): boolean {
  const parsed = parseContentType(contentType);
  const said = (name: string): string => parsed?.parameters.get(name) ?? "";
  if (parsed?.mediaType === "application/json" && said("as") === "APIGroupDiscoveryList" && isKnown(`${said("g")}/${said("v")}`))
    return true;
  return (
    isJsonObject(document) &&
    document["kind"] === "APIGroupDiscoveryList" &&
    typeof document["apiVersion"] === "string" &&
    isKnown(document["apiVersion"])
  );
}

const isKnown = (apiVersion: string): boolean => apiVersion === "apidiscovery.k8s.io/v2" || apiVersion === "apidiscovery.k8s.io/v2beta1";

/**
 * Decodes the document. A version that is stale or cannot be decoded becomes a failure; throws a `DiscoveryDocumentError`
 * only if the document as a whole or the name of a group cannot be decoded.
 */
export function decodeAggregatedDiscovery(document: JsonValue): Discovered {
  const groups: ApiGroup[] = [];
  const resources: ApiResourceList[] = [];
  const failures: DiscoveryFailure[] = [];
  for (const [index, item] of listField(objectField(document, "APIGroupDiscoveryList")["items"], "items").entries()) {
    const entry = objectField(item, `items[${index}]`);
    const name = textField(objectField(entry["metadata"] ?? {}, `items[${index}].metadata`)["name"], `items[${index}].metadata.name`);
    const versions: string[] = [];
    for (const value of listField(entry["versions"], `versions of group "${name}"`)) {
      const described = objectField(value, `a version of group "${name}"`);
      const home = { group: name, version: nameField(described["version"], `version of group "${name}"`) };
      const groupVersion = apiVersionOf(home);
      const read = readVersion(described, home);
      if ("error" in read) {
        failures.push({ groupVersion, error: read.error });
        continue;
      }
      versions.push(home.version);
      resources.push({ groupVersion, resources: read.resources });
    }
    groups.push({ name, versions, preferredVersion: versions[0] ?? "" });
  }
  return { groups, resources, failures };
}

function readVersion(
  described: JsonObject,
  home: GroupVersion,
): { readonly resources: readonly ApiResource[] } | { readonly error: unknown } {
  const place = apiVersionOf(home);
  if (described["freshness"] === "Stale") return { error: new StaleGroupVersionError(place) };
  try {
    const entries = listField(described["resources"], `resources of ${place}`);
    return {
      resources: entries.map((entry, index) => readResource(objectField(entry, `${place} resources[${index}]`), home)).filter(isServed),
    };
  } catch (error) {
    return { error };
  }
}

function readResource(entry: JsonObject, home: GroupVersion): ApiResource {
  const plural = nameField(entry["resource"], `resource of ${apiVersionOf(home)}`);
  const place = `${plural} of ${apiVersionOf(home)}`;
  const responseKind = readKind(entry["responseKind"], home, `responseKind of ${place}`);
  return {
    group: home.group,
    version: home.version,
    kind: responseKind.kind,
    plural,
    singular: textField(entry["singularResource"], `singularResource of ${place}`),
    shortNames: textListField(entry["shortNames"], `shortNames of ${place}`),
    categories: textListField(entry["categories"], `categories of ${place}`),
    scope: entry["scope"] === "Namespaced" ? "Namespaced" : "Cluster",
    verbs: textListField(entry["verbs"], `verbs of ${place}`),
    responseKind,
    subresources: readSubresources(entry, home, place),
  };
}

function readSubresources(entry: JsonObject, home: GroupVersion, place: string): Readonly<Record<string, ApiSubresource>> {
  const subresources: Record<string, ApiSubresource> = {};
  for (const value of listField(entry["subresources"], `subresources of ${place}`)) {
    const described = objectField(value, `a subresource of ${place}`);
    const name = nameField(described["subresource"], `subresource of ${place}`);
    const kind = readKind(described["responseKind"], home, `responseKind of ${name} of ${place}`);
    if (kind.kind !== "") setOwn(subresources, name, { ...kind, verbs: textListField(described["verbs"], `verbs of ${name} of ${place}`) });
  }
  return subresources;
}

/** Group and version are empty if they equal those of the path. */
function readKind(value: JsonValue | undefined, home: GroupVersion, place: string): GroupVersionKind {
  const named = objectField(value ?? {}, place);
  const [group, version, kind] = [textField(named["group"], place), textField(named["version"], place), textField(named["kind"], place)];
  return version === "" ? { group: group === "" ? home.group : group, version: home.version, kind } : { group, version, kind };
}

/** A resource without a kind exists only for its subresources. */
const isServed = ({ kind, subresources }: ApiResource): boolean => kind !== "" || Object.keys(subresources).length > 0;
