import { describe, expect, it } from "vitest";
import { AmbiguousResourceError, NoKindMatchError, NoResourceMatchError } from "./no-match.ts";
import { RestMapper } from "./rest-mapper.ts";
import type { ResourceRow } from "./rest-mapper.ts";

const row = (apiVersion: string, kind: string, changes: Partial<ResourceRow> = {}): ResourceRow => {
  const [version = "", group = ""] = apiVersion.split("/").toReversed();
  return { group, version, kind, plural: `${kind.toLowerCase()}s`, singular: kind.toLowerCase(), scope: "Namespaced", ...changes };
};
const rows = [
  row("metrics.k8s.io/v1beta1", "PodMetrics", { plural: "pods", singular: "" }),
  row("v1", "Pod", { shortNames: ["po"], categories: ["all"] }),
  row("v1", "Pod", { plural: "pods/status" }),
  row("v1", "Event", { shortNames: ["ev"] }),
  row("v1", "Node", { scope: "Cluster", shortNames: ["no"] }),
  row("apps/v1", "Deployment", { shortNames: ["deploy"], categories: ["all"] }),
  row("apps/v1beta1", "Deployment", { shortNames: ["deploy"], categories: ["all"] }),
  row("events.k8s.io/v1", "Event", { shortNames: ["ev"] }),
  row("autoscaling/v1", "HorizontalPodAutoscaler", { shortNames: ["hpa"], categories: ["all"] }),
  row("autoscaling/v2", "HorizontalPodAutoscaler", { shortNames: ["hpa"], categories: ["all"] }),
  row("storage.k8s.io/v1", "StorageClass", { plural: "storageclasses", shortNames: ["sc"], scope: "Cluster" }),
];
const mapper = new RestMapper(rows, { preferredVersions: new Map([["autoscaling", "v2"]]) });

describe("RestMapper.resourceFor", () => {
  it.each([
    [{ resource: "deployments" }, "apps", "v1", "Deployment"],
    [{ resource: "deployment" }, "apps", "v1", "Deployment"],
    [{ resource: "Deployments" }, "apps", "v1", "Deployment"],
    [{ resource: "deploy" }, "apps", "v1", "Deployment"],
    [{ resource: "deployments", version: "v1beta1" }, "apps", "v1beta1", "Deployment"],
    [{ resource: "deployments", version: "__internal" }, "apps", "v1", "Deployment"],
    [{ resource: "deployments", group: "apps", version: "v1beta1" }, "apps", "v1beta1", "Deployment"],
    [{ resource: "storageclass", group: "storage" }, "storage.k8s.io", "v1", "StorageClass"],
    [{ resource: "sc", group: "stor" }, "storage.k8s.io", "v1", "StorageClass"],
    [{ resource: "hpa" }, "autoscaling", "v2", "HorizontalPodAutoscaler"],
    [{ resource: "pods" }, "", "v1", "Pod"],
    [{ resource: "pods", group: "metrics.k8s.io" }, "metrics.k8s.io", "v1beta1", "PodMetrics"],
    [{ resource: "podmetrics" }, "metrics.k8s.io", "v1beta1", "PodMetrics"],
    [{ resource: "events", group: "events.k8s.io" }, "events.k8s.io", "v1", "Event"],
  ])("finds %j", (partial, group, version, kind) => {
    expect(mapper.kindFor(partial)).toEqual({ group, version, kind });
    expect(mapper.resourceFor(partial)).toMatchObject({ group, version });
  });

  it("returns all that match, group by group", () => {
    expect(mapper.kindsFor({ resource: "events" })).toEqual([
      { group: "", version: "v1", kind: "Event" },
      { group: "events.k8s.io", version: "v1", kind: "Event" },
    ]);
    expect(mapper.resourcesFor({ resource: "hpa" })).toEqual(
      ["v1", "v2"].map((version) => ({ group: "autoscaling", version, resource: "horizontalpodautoscalers" })),
    );
  });

  it("drops the version with a short name, as kubectl does", () => {
    expect(mapper.kindFor({ resource: "deploy", version: "v1beta1" }).version).toBe("v1");
  });

  it("throws when nothing matches", () => {
    for (const ask of [
      () => mapper.kindFor({ resource: "Ghosts" }),
      () => mapper.kindsFor({ resource: "Ghosts" }),
      () => mapper.resourceFor({ resource: "Ghosts" }),
      () => mapper.resourcesFor({ resource: "Ghosts" }),
      () => mapper.singularFor("Ghosts"),
    ]) {
      expect(ask).toThrow(NoResourceMatchError);
      expect(ask).toThrow("no matches for /, Resource=Ghosts");
    }
    expect(() => mapper.kindFor({ resource: "deployments", group: "batch", version: "v1" })).toThrow(
      "no matches for batch/v1, Resource=deployments",
    );
    expect(() => mapper.kindFor({ resource: "storageclasses", group: "storage", version: "v1" })).toThrow(NoResourceMatchError);
    expect(() => mapper.kindFor({ resource: "", group: "apps" })).toThrow("a resource must be present, got: apps/, Resource=");
    expect(() => mapper.kindFor({ resource: "constructor" })).toThrow(NoResourceMatchError);
  });

  it("names all matches when it is ambiguous", () => {
    const twins = new RestMapper([row("x/v1", "A", { plural: "bees", singular: "cs" }), row("x/v1", "C", { plural: "cs" })]);
    expect(() => twins.resourceFor({ resource: "cs" })).toThrow(AmbiguousResourceError);
    expect(() => twins.resourceFor({ resource: "cs" })).toThrow(
      "/, Resource=cs matches multiple resources [x/v1, Resource=bees x/v1, Resource=cs]",
    );
  });
});

describe("RestMapper.restMapping", () => {
  it("takes the first named version that exists, or the preferred one", () => {
    const scaler = { group: "autoscaling", kind: "HorizontalPodAutoscaler" };
    expect(mapper.restMapping(scaler).kind.version).toBe("v2");
    expect(mapper.restMapping(scaler, "v9", "v1", "v2").kind.version).toBe("v1");
    expect(mapper.restMapping(scaler, "").kind.version).toBe("v2");
    expect(mapper.restMapping({ group: "", kind: "Node" }, "v1")).toEqual({
      resource: { group: "", version: "v1", resource: "nodes" },
      kind: { group: "", version: "v1", kind: "Node" },
      scope: "Cluster",
    });
    expect(mapper.restMappings(scaler).map(({ kind }) => kind.version)).toEqual(["v1", "v2"]);
  });

  it("never returns a subresource", () => {
    expect(mapper.restMapping({ group: "", kind: "Pod" }).resource.resource).toBe("pods");
    expect(() => mapper.kindFor({ resource: "pods/status" })).toThrow(NoResourceMatchError);
  });

  it("accepts kinds in lower case", () => {
    expect(mapper.restMapping({ group: "", kind: "pod" }).kind.kind).toBe("Pod");
  });

  it("throws for an unknown kind", () => {
    expect(() => mapper.restMapping({ group: "apps", kind: "Ghost" })).toThrow('no matches for kind "Ghost" in group "apps"');
    expect(() => mapper.restMapping({ group: "apps", kind: "Deployment" }, "v9")).toThrow(
      'no matches for kind "Deployment" in version "apps/v9"',
    );
    expect(() => mapper.restMapping({ group: "", kind: "Ghost" }, "v2", "v1", "v2")).toThrow(
      'no matches for kind "Ghost" in versions ["v1" "v2"]',
    );
    expect(() => mapper.restMappings({ group: "", kind: "toString" })).toThrow(NoKindMatchError);
  });
});

describe("RestMapper.mappingFor", () => {
  it.each([
    ["deploy", "apps/v1"],
    ["deployments.apps", "apps/v1"],
    ["deployment.v1beta1.apps", "apps/v1beta1"],
    ["deployments.v9.apps", undefined],
    ["Deployment", "apps/v1"],
    ["Deployment.apps", "apps/v1"],
    ["Deployment.v1beta1.apps", "apps/v1beta1"],
    ["po", "/v1"],
    ["Pod.v1.", "/v1"],
    ["pods.metrics", "metrics.k8s.io/v1beta1"],
    ["podmetrics", "metrics.k8s.io/v1beta1"],
    ["PodMetrics.metrics.k8s.io", "metrics.k8s.io/v1beta1"],
    ["ghosts", undefined],
  ])("maps %s to %s", (word, expected) => {
    if (expected === undefined)
      expect(() => mapper.mappingFor(word)).toThrow(`the server doesn't have a resource type "${word.split(".")[0]}"`);
    else expect(`${mapper.mappingFor(word).kind.group}/${mapper.mappingFor(word).kind.version}`).toBe(expected);
  });
});

describe("RestMapper", () => {
  it("returns the singular of a plural", () => {
    expect(mapper.singularFor("deployments")).toBe("deployment");
    expect(mapper.singularFor("deploy")).toBe("deployment");
    expect(mapper.singularFor("NODES")).toBe("node");
  });

  it("returns the members of a category, each once", () => {
    expect(mapper.expandCategory("all")).toEqual([
      { group: "", resource: "pods" },
      { group: "apps", resource: "deployments" },
      { group: "autoscaling", resource: "horizontalpodautoscalers" },
    ]);
    expect(mapper.expandCategory("none")).toEqual([]);
  });
});
