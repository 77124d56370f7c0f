import { describe, expect, it } from "vitest";
import { kinds } from "@drover/api";
import { customResource, pods } from "../openapi/testing/small-resources.ts";
import { byApiService, servedGroups } from "./served-groups.ts";

const builtIn = kinds.map((kind) => ({ kind, isCustom: false }));
const custom = [
  ["ex.io", "v1"],
  ["aa.example.com", "v1alpha1"],
  ["zoo.k8s.io", "v2"],
  ["zoo.k8s.io", "v3beta1"],
  ["zoo.k8s.io", "v10"],
].map(([group = "", version = ""]) => customResource("Thing", { group, version }));

describe("servedGroups", () => {
  it("sorts by priority, with the core group before all but apiregistration", () => {
    expect(
      servedGroups(builtIn)
        .map(({ name }) => name)
        .slice(0, 5),
    ).toEqual(["apiregistration.k8s.io", "", "apps", "events.k8s.io", "authentication.k8s.io"]);
  });

  it("sorts custom groups last, by name or by their first APIService", () => {
    const groups = servedGroups([...custom, pods]);
    expect(groups.map(({ name }) => name)).toEqual(["", "aa.example.com", "ex.io", "zoo.k8s.io"]);
    expect(byApiService(groups).map(({ name }) => name)).toEqual(["", "ex.io", "zoo.k8s.io", "aa.example.com"]);
  });

  it("lists the preferred version first, and resources by name", () => {
    const [zoo] = servedGroups(custom.filter(({ kind }) => kind.group === "zoo.k8s.io"));
    expect(zoo?.versions.map(({ version }) => version)).toEqual(["v10", "v2", "v3beta1"]);
    const [group] = servedGroups([customResource("Widget"), customResource("Gadget")]);
    expect(group?.versions[0]?.resources.map(({ kind }) => kind.plural)).toEqual(["gadgets", "widgets"]);
  });

  it("is empty without resources", () => {
    expect(servedGroups([])).toEqual([]);
  });
});
