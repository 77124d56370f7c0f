import type { KubeObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { newObjectSet } from "./object-set.ts";

const object = (kind: string, name: string, namespace?: string, apiVersion = "v1"): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
});

describe("ObjectSet", () => {
  it("keeps the order of objects and kinds, and ignores undefined and null (§2.3)", () => {
    const set = newObjectSet(object("Secret", "b", "shop"), undefined, object("ConfigMap", "a", "shop"), null).add(object("Secret", "a"));
    expect(set.all().map(({ kind, metadata: { name } }) => `${kind} ${name}`)).toEqual(["Secret b", "ConfigMap a", "Secret a"]);
    expect([set.len(), set.gvks().map(({ kind }) => kind), set.err()]).toEqual([3, ["Secret", "ConfigMap"], undefined]);
    expect(
      set
        .gvkOrder(
          { group: "", version: "v1", kind: "Secret" },
          { group: "batch", version: "v1", kind: "Job" },
          { group: "apps", version: "v1", kind: "Deployment" },
        )
        .map(({ kind }) => kind),
    ).toEqual(["Secret", "ConfigMap", "Deployment", "Job"]);
  });

  it("returns each namespace once, and an empty one for objects without (§3.17)", () => {
    expect(
      newObjectSet(object("Secret", "a", "x"), object("Secret", "b", "x"), object("Secret", "c"), object("Node", "n")).namespaces(),
    ).toEqual(["x", ""]);
  });

  it("contains an object once: adding it again replaces it (§2.3)", () => {
    const later = { ...object("Secret", "a", "x"), data: { k: "dg==" } };
    const set = newObjectSet(object("Secret", "a", "x"), object("Secret", "b", "x"), later);
    expect(set.all()).toEqual([later, object("Secret", "b", "x")]);
    expect([...(set.objectsByGVK().values().next().value ?? [])].length).toBe(2);
  });

  it("contains finds an object in any version of its kind", () => {
    const set = newObjectSet(object("Deployment", "web", "shop", "apps/v1beta1"));
    expect([
      set.contains({ group: "apps", kind: "Deployment" }, { namespace: "shop", name: "web" }),
      set.contains({ group: "apps", kind: "Deployment" }, { namespace: "x", name: "web" }),
    ]).toEqual([true, false]);
  });

  it("collects errors until err is called (§2.3)", () => {
    const set = newObjectSet({ metadata: { name: "x" } }, object("Secret", ""));
    expect(String(set.err())).toMatch(/x has no apiVersion or no kind.*a Secret of the set has no metadata\.name/s);
    expect(newObjectSet().addErr(new Error("template")).err()).toEqual(new Error("template"));
  });
});
