import { ConfigMap } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { isWranglerSet, wranglerOwnerOf, wranglerWords } from "./wrangler-annotations.ts";

const made = (annotations: Record<string, string>): ReturnType<typeof wranglerOwnerOf> =>
  wranglerOwnerOf({
    metadata: {
      name: "x",
      labels: { "objectset.rio.cattle.io/hash": "h" },
      annotations: Object.fromEntries(Object.entries(annotations).map(([key, value]) => [`objectset.rio.cattle.io/${key}`, value])),
    },
  });

describe("Wrangler's annotations", () => {
  it("name set and owner, in the core group and in others (§2.2.1)", () => {
    expect(made({ id: "s", "owner-gvk": "/v1, Kind=ConfigMap", "owner-name": "a", "owner-namespace": "n" })).toEqual({
      setId: "s",
      group: "",
      kind: "ConfigMap",
      namespace: "n",
      name: "a",
    });
    expect(made({ "owner-gvk": "helm.cattle.io/v1, Kind=HelmChart", "owner-name": "a" })).toEqual({
      setId: "",
      group: "helm.cattle.io",
      kind: "HelmChart",
      namespace: "",
      name: "a",
    });
  });

  it("are undefined for objects of others", () => {
    expect(wranglerOwnerOf({ metadata: { name: "x", labels: { app: "web" } } })).toBeUndefined();
  });

  it("match our owner in any version, and only our sets", () => {
    const owner = { kind: ConfigMap, object: { metadata: { name: "a", namespace: "n" } } };
    const found = made({ id: "s", "owner-gvk": "/v2, Kind=ConfigMap", "owner-name": "a", "owner-namespace": "n" });
    expect(found !== undefined && isWranglerSet(found, owner, ["t", "s"])).toBe(true);
    expect(found !== undefined && isWranglerSet(found, owner, ["t"])).toBe(false);
    expect(found !== undefined && isWranglerSet(found, { ...owner, object: { metadata: { name: "a", namespace: "other" } } }, ["s"])).toBe(
      false,
    );
  });

  it("tolerate malformed values and print them for people", () => {
    const found = made({ "owner-gvk": "a/b/c" });
    expect(found && wranglerWords(found)).toBe("an unknown owner (Wrangler's set without an id)");
  });
});
