/**
 * Reads aggregated discovery (apidiscovery.k8s.io/v2) for descriptors: nothing missing, and every kind with its group
 * and version.
 *
 *     APIGroupDiscoveryList → DiscoveredGroupVersion[]
 */
import { apiVersionOf, byText } from "@drover/machinery";
import type { GroupVersion, GroupVersionKind, JsonObject, JsonValue, Scope, Verb } from "@drover/machinery";
import { expectList, expectObject, expectString, expectStrings } from "./expect-json.ts";
import type { DiscoveredGroupVersion, DiscoveredResource } from "./openapi.ts";

const scopes: readonly Scope[] = ["Namespaced", "Cluster"];
const verbs: readonly Verb[] = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

/** The group versions of one list; throws for what descriptors cannot express. */
export function readDiscovery(list: JsonValue): readonly DiscoveredGroupVersion[] {
  return expectList(expectObject(list, "discovery").items, "discovery items").flatMap((item) => {
    const { metadata, versions } = expectObject(item, "discovery item");
    const group = expectString(expectObject(metadata, "metadata of a group").name ?? "", "name of a group");
    return expectList(versions, `versions of ${group}`).map((entry) => readVersion(expectObject(entry, `version of ${group}`), group));
  });
}

function readVersion(entry: JsonObject, group: string): DiscoveredGroupVersion {
  const home = { group, version: expectString(entry.version, `version of ${group}`) };
  const place = apiVersionOf(home);
  return {
    ...home,
    resources: expectList(entry.resources ?? [], place).map((resource) => readResource(expectObject(resource, place), home)),
  };
}

function readResource(resource: JsonObject, home: GroupVersion): DiscoveredResource {
  const plural = expectString(resource.resource, `resource of ${apiVersionOf(home)}`);
  const place = `${plural} of ${apiVersionOf(home)}`;
  const { kind, group, version } = readKind(resource.responseKind, home, place);
  if (group !== home.group || version !== home.version)
    throw new Error(`${place}: its kind belongs to ${apiVersionOf({ group, version })}`);
  const subresources = expectList(resource.subresources ?? [], place).map((entry) => {
    const { subresource, responseKind, verbs: taken } = expectObject(entry, place);
    const name = expectString(subresource, `subresource of ${place}`);
    return [name, { ...readKind(responseKind, home, `${name} of ${place}`), verbs: readVerbs(taken, `${name} of ${place}`) }] as const;
  });
  return {
    kind,
    plural,
    singular: expectString(resource.singularResource, place),
    shortNames: expectStrings(resource.shortNames, place),
    categories: expectStrings(resource.categories, place),
    scope: expectOneOf(scopes, resource.scope, place),
    verbs: readVerbs(resource.verbs, place),
    subresources: Object.fromEntries(subresources.toSorted(([a], [b]) => byText(a, b))),
  };
}

/** Discovery leaves group and version empty where they are those of the resource itself. */
function readKind(value: JsonValue | undefined, home: GroupVersion, place: string): GroupVersionKind {
  const named = expectObject(value, `kind of ${place}`);
  const [group, version, kind] = [
    expectString(named.group ?? "", place),
    expectString(named.version ?? "", place),
    expectString(named.kind, place),
  ];
  return version === "" ? { group: home.group, version: home.version, kind } : { group, version, kind };
}

function readVerbs(value: JsonValue | undefined, place: string): readonly Verb[] {
  return expectStrings(value, place).map((verb) => expectOneOf(verbs, verb, place));
}

function expectOneOf<T extends string>(known: readonly T[], value: JsonValue | undefined, place: string): T {
  const text = expectString(value, place);
  const found = known.find((word) => word === text);
  if (found !== undefined) return found;
  throw new Error(`${place}: unknown word ${JSON.stringify(text)}; known are ${known.join(", ")}`);
}
