/**
 * Discovery documents in protobuf with their envelope, byte for byte as Go writes them.
 *
 *     APIVersions, APIGroupList, APIGroup, APIResourceList, APIGroupDiscoveryList → discoveryMessage → bytes
 */
import { encodeEnvelope } from "@drover/machinery/protobuf";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { ShapeBook, metaV1, typesPackage } from "@drover/api/shapes";
import type { ShapeTable } from "@drover/api/shapes";
import { encodeMessage } from "../codec/write-message.ts";

/** These kinds are never request bodies, so the codec's tables lack them. */
const documentTypes: ShapeTable = {
  path: "discovery",
  group: "",
  version: "v1",
  goName: "v1",
  kinds: "",
  types: {
    APIVersions: "versions:[]string serverAddressByClientCIDRs:[]ServerAddressByClientCIDR",
    ServerAddressByClientCIDR: "clientCIDR:string serverAddress:string",
    APIGroupList: "groups:[]APIGroup",
    APIGroup:
      "name:string versions:[]GroupVersionForDiscovery preferredVersion?GroupVersionForDiscovery serverAddressByClientCIDRs?[]ServerAddressByClientCIDR",
    GroupVersionForDiscovery: "groupVersion:string version:string",
    APIResourceList: "groupVersion:string resources:[]APIResource",
    APIResource:
      "name:string namespaced:bool kind:string verbs:*Verbs shortNames?[]string singularName:string categories?[]string group?string version?string storageVersionHash?string",
    Verbs: "items:[]string",
    APIGroupDiscoveryList: "metadata?meta/v1.ListMeta items:[]APIGroupDiscovery",
    APIGroupDiscovery: "metadata?meta/v1.ObjectMeta versions?[]APIVersionDiscovery",
    APIVersionDiscovery: "version:string resources?[]APIResourceDiscovery freshness?string",
    APIResourceDiscovery:
      "resource:string responseKind?*GroupVersionKind scope:string singularResource:string verbs:[]string shortNames?[]string categories?[]string subresources?[]APISubresourceDiscovery",
    APISubresourceDiscovery: "subresource:string responseKind?*GroupVersionKind acceptedTypes?[]GroupVersionKind verbs:[]string",
    GroupVersionKind: "group:string version:string kind:string",
  },
};

const book: ShapeBook = new ShapeBook([documentTypes, metaV1, typesPackage]);

/** Encodes a document that names its kind. Documents without a version get an envelope without one. */
export function discoveryMessage(document: JsonObject): Uint8Array {
  const { kind, apiVersion = "" } = document as { readonly kind: string; readonly apiVersion?: string };
  return encodeEnvelope({
    apiVersion,
    kind,
    message: encodeMessage(kind === "APIResourceList" ? withVerbMessages(document) : document, book.struct(`discovery.${kind}`)),
  });
}

/** A resource's verbs are a list in JSON and a message with a list in protobuf. */
function withVerbMessages(list: JsonObject): JsonObject {
  const resources = (list["resources"] as readonly JsonObject[]).map((resource): JsonValue => ({
    ...resource,
    verbs: { items: resource["verbs"] ?? [] },
  }));
  return { ...list, resources };
}
