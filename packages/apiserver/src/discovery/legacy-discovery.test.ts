import { describe, expect, it } from "vitest";
import { Deployment } from "@drover/api/apps/v1";
import { Binding, Pod } from "@drover/api/core/v1";
import { apiVersionsDocument, groupDocument, groupListDocument, resourceListDocument } from "./legacy-discovery.ts";
import { servedGroups } from "./served-groups.ts";

const [core, apps] = servedGroups([Pod, Binding, Deployment].map((kind) => ({ kind, isCustom: false })));
const sha256 = (): Uint8Array => Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9);
const first = (group: typeof core): NonNullable<typeof core>["versions"][number] => group?.versions[0] ?? expect.fail("no version");

describe("legacy discovery", () => {
  it("lists the core versions and the server address", () => {
    expect(apiVersionsDocument(core, "127.0.0.1:6443")).toEqual({
      kind: "APIVersions",
      versions: ["v1"],
      serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: "127.0.0.1:6443" }],
    });
  });

  it("lists groups with their preferred version", () => {
    const entry = {
      name: "apps",
      versions: [{ groupVersion: "apps/v1", version: "v1" }],
      preferredVersion: { groupVersion: "apps/v1", version: "v1" },
    };
    const group = apps ?? expect.fail("no group");
    expect(groupDocument(group)).toEqual({ kind: "APIGroup", apiVersion: "v1", ...entry });
    expect(groupListDocument([group])).toEqual({ kind: "APIGroupList", apiVersion: "v1", groups: [entry] });
  });

  it("lists resources with their subresources; the core list has no apiVersion", () => {
    const document = resourceListDocument("", first(core), sha256);
    expect(document).not.toHaveProperty("apiVersion");
    expect(document).toMatchObject({ kind: "APIResourceList", groupVersion: "v1" });
    const entries = document["resources"] as { readonly name: string }[];
    expect(entries.map(({ name }) => name).slice(0, 3)).toEqual(["bindings", "pods", "pods/attach"]);
    expect(entries.find(({ name }) => name === "bindings")).not.toHaveProperty("storageVersionHash");
    expect(entries.find(({ name }) => name === "pods")).toMatchObject({
      singularName: "pod",
      namespaced: true,
      shortNames: ["po"],
      categories: ["all"],
      storageVersionHash: "AQIDBAUGBwg=",
    });
  });

  it("names the group and version of a subresource's body if they differ", () => {
    const entries = resourceListDocument("apps", first(apps), sha256)["resources"] as { readonly name: string }[];
    expect(entries.slice(1)).toEqual([
      {
        name: "deployments/scale",
        singularName: "",
        namespaced: true,
        group: "autoscaling",
        version: "v1",
        kind: "Scale",
        verbs: ["get", "patch", "update"],
      },
      { name: "deployments/status", singularName: "", namespaced: true, kind: "Deployment", verbs: ["get", "patch", "update"] },
    ]);
  });
});
