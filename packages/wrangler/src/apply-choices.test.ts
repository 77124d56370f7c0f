import { Deployment } from "@drover/api/apps/v1";
import { Job } from "@drover/api/batch/v1";
import { ConfigMap, Namespace, Secret } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { applySetOf, desiredObject, noChoices, ownerOfKey, setAlone } from "./apply-choices.ts";

const owner = { kind: ConfigMap, object: { metadata: { name: "owner", namespace: "shop", uid: "u" } } };
const inNamespace = (namespace?: string) => ({ metadata: { name: "a", ...(namespace === undefined ? {} : { namespace }) } });

describe("options of an apply", () => {
  it("trap 21: put an object without a namespace in the default namespace, else in its owner's, and a cluster-scoped one in none (§2.2.4)", () => {
    expect(desiredObject(noChoices, owner, Secret, inNamespace()).object.metadata.namespace).toBe("shop");
    expect(desiredObject({ ...noChoices, defaultNamespace: "other" }, owner, Secret, inNamespace()).object.metadata.namespace).toBe(
      "other",
    );
    expect(desiredObject(noChoices, owner, Namespace, inNamespace("wrong")).object.metadata).toEqual({ name: "a" });
    expect(() => desiredObject(noChoices, setAlone("s", ""), Secret, inNamespace())).toThrow(/withDefaultNamespace/);
  });

  it("add an owner reference only where the garbage collector follows it", () => {
    const choices = { ...noChoices, reference: { controller: true, block: false } };
    const references = (kind: typeof Secret | typeof Namespace, namespace?: string): unknown =>
      desiredObject(choices, owner, kind, inNamespace(namespace)).object.metadata.ownerReferences;
    expect(references(Secret)).toEqual([
      { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "u", controller: true, blockOwnerDeletion: false },
    ]);
    expect([references(Secret, "other"), references(Namespace)]).toEqual([undefined, undefined]);
    expect(desiredObject({ ...choices, reference: "none" }, owner, Secret, inNamespace()).object.metadata.ownerReferences).toBeUndefined();
  });

  it("recreate the kinds that Wrangler recreates and fail for others, unless a policy is set; the last one wins (§3.30)", () => {
    const policies = [
      [Deployment, "fail"],
      [Deployment, "leave"],
    ] as const;
    const policy = (kind: typeof Job | typeof ConfigMap | typeof Deployment, more = {}): unknown =>
      desiredObject({ ...noChoices, ...more }, owner, kind, inNamespace()).onImmutable;
    expect([policy(Job), policy(ConfigMap), policy(Deployment), policy(Deployment, { policies })]).toEqual([
      "recreate",
      "fail",
      "recreate",
      "leave",
    ]);
  });

  it("become an ApplySet with scope and pruning", () => {
    const set = (more = {}) => applySetOf({ ...noChoices, setID: "web", ...more }, owner, {});
    expect([
      set().scope,
      set({ restrictClusterScoped: true }).scope,
      set({ restrictClusterScoped: true, restrictNamespace: true }).scope,
    ]).toEqual(["cluster", "cross-namespace", "namespace"]);
    expect([set().name, applySetOf(noChoices, owner, {}).name, set({ noDelete: true }).prune]).toEqual(["web", "wrangler", false]);
    const { prune } = set({ noDeleteKinds: [Secret] });
    const member = (apiVersion: string, kind: string) => ({ apiVersion, kind, metadata: { name: "a" } });
    expect(
      typeof prune === "function" && [prune(member("v1", "Secret")), prune(member("v1", "ConfigMap")), prune(member("other/v1", "Secret"))],
    ).toEqual([false, true, true]);
    expect(() => set({ listerNamespace: "other" })).toThrow(/withListerNamespace\("other"\) cannot be honoured/);
  });

  it("allow owners that do not exist", () => {
    expect(ownerOfKey("shop/x", { group: "internal.io", version: "v1", kind: "Relation" })).toMatchObject({
      object: { metadata: { name: "x", namespace: "shop" } },
      kind: { scope: "Namespaced", kind: "Relation" },
    });
    expect(ownerOfKey("x", { group: "", version: "v1", kind: "R" }).kind.scope).toBe("Cluster");
  });
});
