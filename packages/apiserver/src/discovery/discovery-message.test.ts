import { decodeEnvelope, ProtobufReader } from "@drover/machinery/protobuf";
import { describe, expect, it } from "vitest";
import { customResource, deployments, pods } from "../openapi/testing/small-resources.ts";
import { discoveryDocuments } from "./discovery-documents.ts";
import { discoveryMessage } from "./discovery-message.ts";

const { api, apis, core, groups } = discoveryDocuments([pods, deployments, customResource("Widget")], {
  serverAddress: "127.0.0.1:6443",
  sha256: () => new Uint8Array(32),
  sha512Hex: () => "h",
});
const aggregated = apis.aggregated.versions.get("v2") ?? expect.fail("no v2");
const head = (bytes: Uint8Array): unknown[] => [decodeEnvelope(bytes).apiVersion, decodeEnvelope(bytes).kind];

/** Returns the first value at a path of field numbers; a final string is decoded. */
function at(message: Uint8Array, ...path: readonly number[]): Uint8Array {
  const [number, ...rest] = path;
  if (number === undefined) return message;
  for (const reader = new ProtobufReader(message); reader.next("");) {
    if (reader.field === number) return at(reader.bytes(), ...rest);
    reader.skip();
  }
  return expect.fail(`there is no field ${number}`);
}
const textAt = (bytes: Uint8Array, ...path: readonly number[]): string =>
  new TextDecoder().decode(at(decodeEnvelope(bytes).message, ...path));

describe("discoveryMessage", () => {
  it("encodes kind and version, the latter only if the document has one", () => {
    const version = (group: string): Uint8Array =>
      discoveryMessage((group === "" ? core : groups.get(group))?.versions.get("v1")?.document ?? expect.fail(group));
    expect(
      [
        discoveryMessage(api.legacy),
        discoveryMessage(apis.legacy),
        version(""),
        version("apps"),
        discoveryMessage(groups.get("apps")?.document ?? {}),
        discoveryMessage(aggregated),
      ].map(head),
    ).toEqual([
      ["", "APIVersions"],
      ["v1", "APIGroupList"],
      ["", "APIResourceList"],
      ["v1", "APIResourceList"],
      ["v1", "APIGroup"],
      ["apidiscovery.k8s.io/v2", "APIGroupDiscoveryList"],
    ]);
  });

  it("encodes all fields of the documents", () => {
    expect(textAt(discoveryMessage(api.legacy), 2, 2)).toBe("127.0.0.1:6443");
    expect(textAt(discoveryMessage(apis.legacy), 1, 3, 1)).toBe("apps/v1");
    expect(textAt(discoveryMessage(aggregated), 2, 2, 2, 2, 3)).toBe("Deployment");
  });

  it("encodes the verbs of a resource as a message", () => {
    expect(textAt(discoveryMessage(core.versions.get("v1")?.document ?? {}), 2, 4, 1)).toBe("create");
  });
});
