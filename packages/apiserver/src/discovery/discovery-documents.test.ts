import { describe, expect, it } from "vitest";
import { customResource, deployments, pods } from "../openapi/testing/small-resources.ts";
import { discoveryDocuments } from "./discovery-documents.ts";

const options = { serverAddress: "127.0.0.1:6443", sha256: () => new Uint8Array(32), sha512Hex: (text: string) => `h${text.length}` };

describe("discoveryDocuments", () => {
  it("cover every group version and mark the built-in ones", () => {
    const { core, groups } = discoveryDocuments(
      [pods, deployments, customResource("Widget"), customResource("Widget", { version: "v2" })],
      options,
    );
    expect([...core.versions.keys()]).toEqual(["v1"]);
    expect([...groups].map(([name, { versions, isBuiltIn }]) => [name, [...versions.keys()], isBuiltIn])).toEqual([
      ["apps", ["v1"], true],
      ["ex.io", ["v2", "v1"], false],
    ]);
  });

  it("are aggregated in v2, and in v2beta1 on request", () => {
    expect([...discoveryDocuments([pods], options).api.aggregated.versions.keys()]).toEqual(["v2"]);
    expect([...discoveryDocuments([pods], { ...options, aggregatedVersions: ["v2", "v2beta1"] }).api.aggregated.versions.keys()]).toEqual([
      "v2",
      "v2beta1",
    ]);
  });

  it("change their ETag with the resources", () => {
    const tagOf = (...resources: Parameters<typeof discoveryDocuments>[0]): string =>
      discoveryDocuments(resources, options).apis.aggregated.tag;
    expect(tagOf(deployments)).not.toBe(tagOf(deployments, customResource("Widget")));
  });

  it("exist even without served resources", () => {
    expect(discoveryDocuments([], options).api.legacy).toMatchObject({ versions: [] });
  });
});
