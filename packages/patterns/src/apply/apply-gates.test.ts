import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { Deployment } from "@drover/api/apps/v1";
import { ConfigMap, Namespace, PersistentVolumeClaim } from "@drover/api/core/v1";
import type { Kind, KubeObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { Gates } from "./apply-gates.ts";
import type { DesiredObject, SetOwner } from "./apply-set.ts";
import { setIdentity } from "./set-identity.ts";
import { wantedObjects } from "./wanted-object.ts";
import type { WantedObject } from "./wanted-object.ts";

const owner: SetOwner = { kind: Namespace, object: { metadata: { name: "owner", uid: "u" } } };
const set = { name: "web" };
const of = (kind: Kind, name: string, fields: object = {}, isReady?: DesiredObject["isReady"]): WantedObject => {
  const object = { metadata: { name, namespace: "shop" }, ...fields } as KubeObject;
  const [wanted] = wantedObjects(set, setIdentity(set, owner), owner, [{ kind, object, ...(isReady === undefined ? {} : { isReady }) }]);
  if (wanted === undefined) throw new Error("nothing is wanted");
  return { ...wanted, position: 1 };
};
const live = (fields: object = {}): { readonly type: "created"; readonly after: KubeObject } => ({
  type: "created",
  after: { metadata: {}, ...fields },
});

describe("Gates", () => {
  it("let all objects pass if the set does not wait", () => {
    const gates = new Gates(false);
    gates.passed(of(PersistentVolumeClaim, "disk"), live());
    expect(gates.blocks(of(Deployment, "web"))).toBeUndefined();
    expect([gates.isOpen, gates.areReady]).toEqual([true, true]);
  });

  it("make a rank wait for the previous one, but not for its own objects", () => {
    const gates = new Gates(true);
    gates.passed(of(PersistentVolumeClaim, "disk"), live({ status: { phase: "Pending" } }));
    expect(gates.blocks(of(PersistentVolumeClaim, "other"))).toBeUndefined();
    expect(gates.isOpen).toBe(true);
    expect(gates.blocks(of(Deployment, "web"))).toBe("waits for PersistentVolumeClaim shop/disk, which is Pending");
    expect(gates.isOpen).toBe(false);
  });

  it("make all later objects wait for one with its own isReady", () => {
    const gates = new Gates(false);
    const first = { ...of(ConfigMap, "first", {}, () => false), position: 0 };
    gates.passed(first, live());
    expect(gates.blocks(of(ConfigMap, "second"))).toBe("waits for ConfigMap shop/first, which is not ready");
  });

  it("block only the objects of a namespace or definition that failed", () => {
    const gates = new Gates(false);
    gates.failed({ ...of(Namespace, "shop"), namespace: "" });
    expect(gates.blocks(of(ConfigMap, "a"))).toBe("waits for Namespace shop, which failed");
    expect(gates.blocks({ ...of(ConfigMap, "a"), namespace: "other" })).toBeUndefined();
    const Thing: Kind = { ...ConfigMap, group: "example.com", kind: "Thing" };
    gates.passed(of(CustomResourceDefinition, "things.example.com", { spec: { group: "example.com", names: { kind: "Thing" } } }), live());
    expect(gates.blocks({ ...of(Thing, "t"), namespace: "other" })).toBe(
      "waits for CustomResourceDefinition.apiextensions.k8s.io things.example.com, which is not Established",
    );
    expect(gates.areReady).toBe(true);
  });

  it("are closed by an object that must be deleted before it is created again", () => {
    const gates = new Gates(false);
    gates.passed(of(ConfigMap, "a"), { type: "waiting", why: "is being deleted" });
    expect(gates.isOpen).toBe(false);
    expect(gates.blocks(of(ConfigMap, "b"))).toBeUndefined();
  });
});
