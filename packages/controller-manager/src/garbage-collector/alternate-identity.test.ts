import { describe, expect, it } from "vitest";
import { alternateIdentity, partitionDependents } from "./alternate-identity.ts";
import type { Dependent } from "./alternate-identity.ts";
import type { ObjectIdentity } from "./object-identity.ts";

const uid = "owner";
const identity = (kind: string, namespace: string, name = "name", apiVersion = "v1"): ObjectIdentity => ({
  apiVersion,
  kind,
  namespace,
  name,
  uid,
});
const dependent = (
  namespace: string,
  ...owners: readonly (readonly [kind: string, name?: string, apiVersion?: string, uid?: string])[]
): Dependent => ({
  identity: { apiVersion: "v1", kind: "Child", namespace, name: "child", uid: `child-${namespace}` },
  owners: owners.map(([kind, name = "name", apiVersion = "v1", ownerUid = uid]) => ({ apiVersion, kind, name, uid: ownerUid })),
});

describe("partitionDependents", () => {
  it("splits dependents into those that agree with an identity, disagree, or both", () => {
    const owner = identity("A", "ns");
    const [same, otherKind, otherPlace, both] = [
      dependent("ns", ["A"]),
      dependent("ns", ["B"]),
      dependent("ns2", ["A"]),
      dependent("ns", ["A"], ["B"]),
    ];
    expect(partitionDependents([same, otherKind, otherPlace, both], owner)).toEqual({
      agreeing: [same, both],
      disagreeing: [otherKind, otherPlace, both],
    });
  });

  it("lets dependents of every namespace agree with a cluster-scoped owner", () => {
    expect(
      partitionDependents([dependent("ns", ["A"]), dependent("ns2", ["A"]), dependent("", ["A"])], identity("A", "")).disagreeing,
    ).toEqual([]);
  });
});

describe("G021: alternateIdentity", () => {
  const cases: readonly (readonly [
    title: string,
    dependents: readonly Dependent[],
    absent: ObjectIdentity,
    expected: ObjectIdentity | undefined,
  ])[] = [
    ["none without dependents", [], identity("A", "ns"), undefined],
    ["none where all agree", [dependent("ns", ["A"])], identity("A", "ns"), undefined],
    ["none where they speak of others", [dependent("ns", ["B", "name", "v1", "other"])], identity("A", "ns"), undefined],
    ["none from any namespace for what is in none", [dependent("ns", ["A"]), dependent("ns2", ["A"])], identity("A", ""), undefined],
    ["another kind", [dependent("ns", ["B"])], identity("A", "ns"), identity("B", "ns")],
    ["another kind that comes before: it wraps", [dependent("ns", ["A"])], identity("B", "ns"), identity("A", "ns")],
    [
      "the first that follows",
      [dependent("ns", ["C"]), dependent("ns", ["B"]), dependent("ns", ["A"])],
      identity("A", "ns"),
      identity("B", "ns"),
    ],
    [
      "the first that follows, not the first of all",
      [dependent("ns", ["A"]), dependent("ns", ["D"]), dependent("ns", ["C"])],
      identity("B", "ns"),
      identity("C", "ns"),
    ],
    ["the first of all behind the last", [dependent("ns", ["B"]), dependent("ns", ["A"])], identity("C", "ns"), identity("A", "ns")],
    ["another version", [dependent("ns", ["A", "name", "v2"])], identity("A", "ns"), identity("A", "ns", "name", "v2")],
    ["another namespace", [dependent("ns2", ["A"])], identity("A", "ns1"), identity("A", "ns2")],
    ["another namespace that comes before: it wraps", [dependent("ns1", ["A"])], identity("A", "ns2"), identity("A", "ns1")],
    ["another name", [dependent("ns", ["A", "name2"])], identity("A", "ns", "name1"), identity("A", "ns", "name2")],
    [
      "another name of a kind that is in no namespace",
      [dependent("ns", ["A", "name2"])],
      identity("A", "", "name1"),
      identity("A", "", "name2"),
    ],
    ["a kind in a namespace after one in none", [dependent("ns", ["B"])], identity("A", ""), identity("B", "ns")],
  ];
  it.each(cases)("%s", (_, dependents, absent, expected) => {
    expect(alternateIdentity(dependents, absent)).toEqual(expected);
    expect(alternateIdentity(dependents.toReversed(), absent)).toEqual(expected);
  });
});
