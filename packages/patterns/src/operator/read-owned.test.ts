import { ConfigMap, Pod } from "@drover/api/core/v1";
import type { DeepReadonly, KubeObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { setLabel } from "../apply/set-identity.ts";
import { ownedOf, readMembers, slotAnnotation } from "./read-owned.ts";
import type { MemberCaches } from "./read-owned.ts";
import { many, namedSlots } from "./slot.ts";

const owner = { metadata: { name: "web", namespace: "shop", uid: "owner" } };
const named = (name: string, metadata: object = {}): DeepReadonly<KubeObject> => ({
  metadata: {
    name,
    namespace: "shop",
    ownerReferences: [{ apiVersion: "x/v0", kind: "WebApp", name: "web", uid: "owner", controller: true }],
    ...metadata,
  },
});

/** A cache with indexes over these objects. */
const cacheOf = (...objects: readonly DeepReadonly<KubeObject>[]): MemberCaches => ({
  reader: () => ({
    listIndexValues: () => [],
    byIndex: (index: string, value: string) =>
      objects.filter(({ metadata }) =>
        index === "drover/set" ? metadata.labels?.[setLabel] === value : metadata.ownerReferences?.[0]?.uid === value,
      ),
  }),
});

describe("readMembers and ownedOf", () => {
  it("return one object or none for a slot, and a list sorted by name for a many slot", () => {
    const slots = namedSlots({ copy: ConfigMap, pods: many(Pod) });
    const owned = ownedOf(slots, readMembers(cacheOf(named("b"), named("a")), slots, owner, "set"));
    expect(owned["pods"]).toEqual([named("a"), named("b")]);
    expect(Object.keys(ownedOf(slots, readMembers(cacheOf(), slots, owner, "set")))).toEqual(["pods"]);
  });

  it("of several candidates for one slot, prefer set members, then those not being deleted, then the youngest", () => {
    const slots = namedSlots({ copy: ConfigMap });
    const shown = (...objects: readonly DeepReadonly<KubeObject>[]): unknown =>
      (ownedOf(slots, readMembers(cacheOf(...objects), slots, owner, "set"))["copy"] as DeepReadonly<KubeObject> | undefined)?.metadata
        .name;
    expect(shown(named("by-hand", { creationTimestamp: "2026-01-03T00:00:00Z" }), named("member", { labels: { [setLabel]: "set" } }))).toBe(
      "member",
    );
    expect(shown(named("going", { deletionTimestamp: "2026-01-01T00:00:00Z" }), named("staying"))).toBe("staying");
    expect(
      shown(named("old", { creationTimestamp: "2026-01-01T00:00:00Z" }), named("new", { creationTimestamp: "2026-01-02T00:00:00Z" })),
    ).toBe("new");
  });

  it("find objects by set label if they have no controller, and never by another set's label", () => {
    const slots = namedSlots({ pods: many(Pod) });
    const labelled = named("labelled", { ownerReferences: [], labels: { [setLabel]: "set" } });
    const stolen = named("stolen", {
      ownerReferences: [{ apiVersion: "x/v0", kind: "Other", name: "o", uid: "other", controller: true }],
      labels: { [setLabel]: "set" },
    });
    expect(readMembers(cacheOf(labelled, stolen), slots, owner, "set").get("pods")).toEqual([labelled]);
  });

  it("separate two slots of one kind by the slot annotation", () => {
    const slots = namedSlots({ one: ConfigMap, two: ConfigMap });
    const members = readMembers(cacheOf(named("a", { annotations: { [slotAnnotation]: "two" } }), named("b")), slots, owner, "set");
    expect([members.get("one"), members.get("two")?.map(({ metadata }) => metadata.name)]).toEqual([[], ["a"]]);
  });
});
