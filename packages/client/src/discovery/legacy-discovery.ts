/**
 * Legacy discovery: a list of groups, and a document for each group version.
 *
 *     APIVersions, APIGroupList, APIGroup → ApiGroup[]
 *     APIResourceList                     → ApiResourceList
 */
import { apiVersionOf, parseGroupVersion, setOwn } from "@drover/machinery";
import type { GroupVersion, GroupVersionKind, JsonObject, JsonValue } from "@drover/machinery";
import type { ApiGroup, ApiResource, ApiResourceList, ApiSubresource } from "./api-group.ts";
import { DiscoveryDocumentError } from "./discovery-error.ts";
import { listField, nameField, objectField, textField, textListField } from "./document-field.ts";

/** Decodes `/api`: the core group, or none if it has no versions. */
export function decodeApiVersions(document: JsonValue): readonly ApiGroup[] {
  const versions = textListField(described(document, "APIVersions")["versions"], "versions of the core group");
  return versions[0] === undefined ? [] : [{ name: "", versions, preferredVersion: versions[0] }];
}

/** Decodes `/apis`. */
export function decodeApiGroupList(document: JsonValue): readonly ApiGroup[] {
  return listField(described(document, "APIGroupList")["groups"], "groups").map((group, index) =>
    readGroup(objectField(group, `groups[${index}]`), `groups[${index}]`),
  );
}

/** Decodes `/apis/{group}`. */
export function decodeApiGroup(document: JsonValue): ApiGroup {
  return readGroup(described(document, "APIGroup"), "APIGroup");
}

function readGroup(entry: JsonObject, place: string): ApiGroup {
  const name = textField(entry["name"], `name of ${place}`);
  const versions = listField(entry["versions"], `versions of group "${name}"`).map((version) => readVersion(version, name));
  const preferred = readVersion(entry["preferredVersion"] ?? { version: versions[0] ?? "" }, name);
  return { name, versions, preferredVersion: versions.includes(preferred) ? preferred : (versions[0] ?? "") };
}

const readVersion = (value: JsonValue, group: string): string =>
  textField(objectField(value, `a version of group "${group}"`)["version"], `version of group "${group}"`);

/**
 * Decodes `/api/v1` and `/apis/{group}/{version}`, where a subresource is a separate row ("pods/status") at any position.
 * @param groupVersion - the requested one, for documents that do not name theirs
 */
export function decodeApiResourceList(document: JsonValue, groupVersion: string): ApiResourceList {
  const list = described(document, "APIResourceList");
  const named = textField(list["groupVersion"], "groupVersion") || groupVersion;
  if (named !== groupVersion)
    throw new DiscoveryDocumentError(`asked for the resources of ${groupVersion}, the server answered with those of ${named}`);
  const home = parseGroupVersion(groupVersion);
  const resources = new Map<string, ApiResource>();
  const beneath = new Map<string, Record<string, ApiSubresource>>();
  for (const [index, value] of listField(list["resources"], `resources of ${groupVersion}`).entries()) {
    const row = objectField(value, `${groupVersion} resources[${index}]`);
    const [plural, subresource] = splitName(nameField(row["name"], `${groupVersion} resources[${index}].name`));
    const subresources = beneath.get(plural) ?? {};
    beneath.set(plural, subresources);
    const resource = readRow(row, { ...home, plural });
    if (subresource === undefined) resources.set(plural, { ...resource, subresources });
    else {
      if (!resources.has(plural)) resources.set(plural, { ...resource, kind: "", verbs: [], shortNames: [], categories: [], subresources });
      setOwn(subresources, subresource, { ...resource.responseKind, verbs: resource.verbs });
    }
  }
  return { groupVersion, resources: [...resources.values()] };
}

function readRow(row: JsonObject, home: GroupVersion & { readonly plural: string }): Omit<ApiResource, "subresources"> {
  const place = `${home.plural} of ${apiVersionOf(home)}`;
  const responseKind = kindOfRow(row, home, place);
  return {
    group: home.group,
    version: home.version,
    kind: responseKind.kind,
    plural: home.plural,
    singular: textField(row["singularName"], `singularName of ${place}`),
    shortNames: textListField(row["shortNames"], `shortNames of ${place}`),
    categories: textListField(row["categories"], `categories of ${place}`),
    scope: row["namespaced"] === true ? "Namespaced" : "Cluster",
    verbs: textListField(row["verbs"], `verbs of ${place}`),
    responseKind,
  };
}

/** A row has group and version only if they differ from those of the list. */
function kindOfRow(row: JsonObject, home: GroupVersion, place: string): GroupVersionKind {
  const version = textField(row["version"], `version of ${place}`);
  const group = textField(row["group"], `group of ${place}`);
  const kind = textField(row["kind"], `kind of ${place}`);
  return version === "" ? { group: group === "" ? home.group : group, version: home.version, kind } : { group, version, kind };
}

function splitName(name: string): readonly [plural: string, subresource: string | undefined] {
  const slash = name.indexOf("/");
  return slash === -1 ? [name, undefined] : [name.slice(0, slash), name.slice(slash + 1)];
}

/** A document of another kind would decode as an empty one, as if the server served nothing. */
function described(document: JsonValue, kind: string): JsonObject {
  const object = objectField(document, kind);
  const said = textField(object["kind"], "kind") || kind;
  if (said !== kind) throw new DiscoveryDocumentError(`expected a document of kind ${kind}, found ${said}`);
  return object;
}
