import { Deployment } from "@drover/api/apps/v1";
import { deepFreeze } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { checkIgnored, withoutIgnored } from "./ignored-fields.ts";

const object = deepFreeze({ metadata: { name: "web", namespace: "shop" }, spec: { replicas: 1, paused: true } });
const replicas = [{ op: "remove", path: "/spec/replicas" }] as const;

describe("withoutIgnored", () => {
  it("removes the fields from matching objects only", () => {
    const ignored = (namespace: string, name: string): object =>
      withoutIgnored(object, Deployment, [{ kind: Deployment, namespace, name, operations: replicas }]);
    for (const [namespace, name] of [
      ["shop", "web"],
      ["", "web"],
      ["shop", ""],
      ["", ""],
    ] as const)
      expect(ignored(namespace, name)).toEqual({ ...object, spec: { paused: true } });
    for (const [namespace, name] of [
      ["other", "web"],
      ["shop", "api"],
    ] as const)
      expect(ignored(namespace, name)).toEqual(object);
    expect(
      withoutIgnored(object, Deployment, [{ kind: { ...Deployment, version: "v9" }, namespace: "", name: "", operations: replicas }]),
    ).toEqual(object);
  });

  it("ignores missing fields", () => {
    expect(
      withoutIgnored(object, Deployment, [
        { kind: Deployment, namespace: "", name: "", operations: [{ op: "remove", path: "/spec/a/b" }, ...replicas] },
      ]),
    ).toEqual({ ...object, spec: { paused: true } });
  });

  it("checkIgnored accepts only removals", () => {
    expect(() => checkIgnored([...replicas, { op: "add", path: "/spec/x", value: 1 }])).toThrow(/"add" at \/spec\/x is not supported/);
    expect(() => checkIgnored(replicas)).not.toThrow();
  });
});
