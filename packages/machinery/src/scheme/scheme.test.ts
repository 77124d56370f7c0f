import { describe, expect, it } from "vitest";
import type { Kind } from "../object/kind.ts";
import { RestMapper } from "./rest-mapper.ts";
import { NotRegisteredError, Scheme } from "./scheme.ts";

const kind = (group: string, version: string, name: string, changes: Partial<Kind> = {}): Kind => ({
  group,
  version,
  kind: name,
  listKind: `${name}List`,
  plural: `${name.toLowerCase()}s`,
  singular: name.toLowerCase(),
  shortNames: [],
  categories: [],
  scope: "Namespaced",
  verbs: ["get", "list"],
  subresources: {},
  ...changes,
});
const pod = kind("", "v1", "Pod");
const deployment = kind("apps", "v1", "Deployment");
const scaler = (version: string): Kind => kind("autoscaling", version, "HorizontalPodAutoscaler");

describe("Scheme", () => {
  it("finds a kind by name, resource, list and objects", () => {
    const scheme = new Scheme([pod, deployment]);
    expect(scheme.kindFor({ group: "apps", version: "v1", kind: "Deployment" })).toBe(deployment);
    expect(scheme.kindForResource({ group: "", version: "v1", resource: "pods" })).toBe(pod);
    expect(scheme.kindForList({ group: "", version: "v1", kind: "PodList" })).toBe(pod);
    expect(scheme.kindOf({ apiVersion: "apps/v1", kind: "Deployment", metadata: {} })).toBe(deployment);
  });

  it("finds nothing that differs in any part", () => {
    const scheme = new Scheme([deployment]);
    for (const change of [{ group: "" }, { version: "v2" }, { kind: "deployment" }, { kind: "constructor" }]) {
      expect(scheme.kindFor({ ...deployment, ...change })).toBeUndefined();
    }
    expect(() => scheme.kindOf({ apiVersion: "v1", kind: "Pod" })).toThrow(NotRegisteredError);
    expect(() => scheme.kindOf({ apiVersion: "v1", kind: "Pod" })).toThrow('no kind "Pod" is registered for version "v1"');
    expect(() => scheme.kindOf({ apiVersion: "v1" })).toThrow('no version "v1" has been registered');
    expect(() => scheme.kindOf(undefined)).toThrow(NotRegisteredError);
  });

  it("accepts the same kind again, also an equal copy", () => {
    const scheme = new Scheme([pod]);
    scheme.add(pod, kind("", "v1", "Pod"));
    expect(scheme.allKinds()).toHaveLength(1);
  });

  it("rejects another descriptor under a taken name, and adds nothing of it", () => {
    const scheme = new Scheme([pod]);
    const clash = (what: string): string => `the ${what} is already registered for /v1, Kind=Pod with a different descriptor`;
    expect(() => scheme.add(kind("", "v1", "Pod", { scope: "Cluster" }))).toThrow(`cannot register /v1, Kind=Pod: ${clash('kind "Pod"')}`);
    expect(() => scheme.add(kind("", "v1", "Whale", { plural: "pods" }))).toThrow(
      `cannot register /v1, Kind=Whale: ${clash('resource "pods"')}`,
    );
    expect(() => scheme.add(kind("", "v1", "Whale", { listKind: "PodList" }))).toThrow(clash('list kind "PodList"'));
    expect(scheme.allKinds()).toEqual([pod]);
    expect(scheme.recognizes({ group: "", version: "v1", kind: "WhaleList" })).toBe(false);
  });

  it("rejects a kind without a version", () => {
    expect(() => new Scheme([kind("apps", "", "Deployment")])).toThrow("version is required on all kinds: apps/, Kind=Deployment");
  });

  it("recognizes objects, lists and unversioned responses", () => {
    const scheme = new Scheme([pod, kind("mine", "v1", "Status")]);
    scheme.addUnversioned("WatchEvent");
    expect(scheme.recognizes(pod)).toBe(true);
    expect(scheme.recognizes({ group: "", version: "v1", kind: "PodList" })).toBe(true);
    expect(scheme.recognizes({ group: "any", version: "v9", kind: "APIGroupList" })).toBe(true);
    expect(scheme.isUnversioned({ group: "", version: "v1", kind: "WatchEvent" })).toBe(true);
    expect(scheme.isUnversioned({ group: "mine", version: "v1", kind: "Status" })).toBe(false);
    expect(scheme.recognizes({ group: "", version: "v1", kind: "Node" })).toBe(false);
  });

  it("lists its groups and versions", () => {
    const scheme = new Scheme([deployment, pod, scaler("v1")]);
    expect(scheme.groups()).toEqual(["apps", "", "autoscaling"]);
    expect([scheme.isGroupRegistered("apps"), scheme.isGroupRegistered("batch")]).toEqual([true, false]);
    expect([
      scheme.isVersionRegistered({ group: "apps", version: "v1" }),
      scheme.isVersionRegistered({ group: "apps", version: "v2" }),
    ]).toEqual([true, false]);
    expect(scheme.knownKinds({ group: "apps", version: "v1" })).toEqual([deployment]);
  });

  it("prefers stable and higher versions by default", () => {
    const scheme = new Scheme(["v1", "v2beta2", "v2"].map(scaler));
    const versions = (): string[] => scheme.versionsForGroup("autoscaling").map(({ version }) => version);
    expect(versions()).toEqual(["v2", "v1", "v2beta2"]);
    scheme.setVersionPriority("autoscaling", ["v1", "v9"]);
    expect(versions()).toEqual(["v1", "v2", "v2beta2"]);
    expect(scheme.preferredVersions()).toEqual([{ group: "autoscaling", version: "v1" }]);
    scheme.add(kind("autoscaling", "v2", "Other"));
    expect(scheme.versionsForGroupKind({ group: "autoscaling", kind: "Other" })).toEqual([{ group: "autoscaling", version: "v2" }]);
    expect(scheme.versionsForGroupKind({ group: "autoscaling", kind: "Nobody" })).toEqual([]);
    expect(scheme.kindsInGroup("autoscaling").map(({ version, kind: name }) => `${version} ${name}`)).toEqual([
      "v1 HorizontalPodAutoscaler",
      "v2 HorizontalPodAutoscaler",
      "v2 Other",
      "v2beta2 HorizontalPodAutoscaler",
    ]);
    expect(scheme.kindsInGroup("batch")).toEqual([]);
  });

  it("feeds a mapper, which prefers the same versions", () => {
    const scheme = new Scheme(["v1", "v2"].map(scaler));
    expect(new RestMapper(scheme.allKinds()).kindFor({ resource: "horizontalpodautoscalers" }).version).toBe("v2");
  });
});
