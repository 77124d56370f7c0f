import { describe, expect, it } from "vitest";
import type { Resource } from "../../registry/resource.ts";
import type { MatchTarget } from "./match-target.ts";
import { isExemptConfiguration, matchTarget } from "./match-target.ts";
import { matchedResource, matchesRule } from "./rule-match.ts";
import type { AdmissionRule } from "./rule-match.ts";

const resource = (group: string, version: string, plural: string, storagePrefix = `/registry/${group}/${plural}/`): Resource =>
  ({ kind: { group, version, plural, kind: plural, subresources: { status: {} } }, storagePrefix }) as unknown as Resource;

const pods = resource("", "v1", "pods");
const target = (over: Partial<MatchTarget> = {}): MatchTarget => ({
  operation: "CREATE",
  resource: pods,
  subresource: "",
  namespace: "default",
  name: "p",
  ...over,
});
const rule = (over: AdmissionRule = {}): AdmissionRule => ({
  operations: ["CREATE"],
  apiGroups: [""],
  apiVersions: ["v1"],
  resources: ["pods"],
  scope: "*",
  ...over,
});

describe("matchesRule", () => {
  it("compares operation, group, version and resource, each with a wildcard", () => {
    expect(matchesRule(rule(), target())).toBe(true);
    expect(matchesRule(rule({ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }), target())).toBe(true);
    for (const other of [
      rule({ operations: ["UPDATE", "DELETE"] }),
      rule({ apiGroups: ["apps"] }),
      rule({ apiVersions: ["v2"] }),
      rule({ resources: ["services"] }),
      rule({ resources: [] }),
    ])
      expect(matchesRule(other, target())).toBe(false);
  });

  it("matches subresources only by name or wildcard", () => {
    const status = target({ operation: "UPDATE", subresource: "status" });
    const at = (...resources: string[]): AdmissionRule => rule({ operations: ["*"], resources });
    expect(matchesRule(at("pods"), status)).toBe(false);
    expect(matchesRule(at("*"), status)).toBe(false);
    for (const text of ["pods/status", "pods/*", "*/status", "*/*"]) expect(matchesRule(at(text), status)).toBe(true);
    expect(matchesRule(at("pods/*"), target())).toBe(true);
    expect(matchesRule(at("pods/status"), target())).toBe(false);
  });

  it("counts a namespace as cluster-scoped although it has a namespace", () => {
    const namespaces = resource("", "v1", "namespaces");
    const created = matchTarget({ operation: "CREATE", resource: namespaces, subresource: "", namespace: "", name: "team" } as never);
    expect(created.namespace).toBe("team");
    const scoped = (scope: "Cluster" | "Namespaced"): AdmissionRule => rule({ scope, resources: ["*"] });
    expect(matchesRule(scoped("Cluster"), created)).toBe(true);
    expect(matchesRule(scoped("Namespaced"), created)).toBe(false);
    expect(matchesRule(scoped("Cluster"), target())).toBe(false);
    expect(matchesRule(scoped("Namespaced"), target())).toBe(true);
    expect(matchesRule(scoped("Namespaced"), target({ namespace: "" }))).toBe(false);
  });

  it("compares the names of a policy's rule", () => {
    expect(matchesRule(rule({ resourceNames: ["p"] }), target())).toBe(true);
    expect(matchesRule(rule({ resourceNames: ["q"] }), target())).toBe(false);
    expect(matchesRule(rule({ resourceNames: [] }), target())).toBe(true);
  });
});

describe("matchedResource", () => {
  const v1 = resource("autoscaling", "v1", "horizontalpodautoscalers");
  const v2 = resource("autoscaling", "v2", "horizontalpodautoscalers");
  const registry = { resources: [v1, v2, pods] };
  const asked = target({ resource: v2 });
  const forVersion = (version: string): AdmissionRule =>
    rule({ apiGroups: ["autoscaling"], apiVersions: [version], resources: ["horizontalpodautoscalers"] });

  it("finds another version of the same objects, unless the match is exact", () => {
    expect(matchedResource([forVersion("v1")], "Equivalent", asked, registry)).toBe(v1);
    expect(matchedResource([forVersion("v1")], "Exact", asked, registry)).toBe(undefined);
  });

  it("prefers the version of the request over earlier rules", () => {
    expect(matchedResource([forVersion("v1"), forVersion("v2")], "Equivalent", asked, registry)).toBe(v2);
  });

  it("finds another version only if it has the subresource", () => {
    const scale = rule({ ...forVersion("v1"), resources: ["horizontalpodautoscalers/scale"] });
    expect(matchedResource([scale], "Equivalent", { ...asked, subresource: "scale" }, registry)).toBe(undefined);
  });
});

describe("isExemptConfiguration", () => {
  it("holds for the six kinds that configure admission", () => {
    const kind = (group: string, name: string, isCustom = false): Resource => ({ isCustom, kind: { group, kind: name } }) as Resource;
    expect(isExemptConfiguration(kind("admissionregistration.k8s.io", "MutatingWebhookConfiguration"))).toBe(true);
    expect(isExemptConfiguration(kind("ex.io", "MutatingWebhookConfiguration", true))).toBe(false);
    expect(isExemptConfiguration(kind("", "Pod"))).toBe(false);
  });
});
