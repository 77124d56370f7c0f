import type { Deployment } from "@drover/api/apps/v1";
import type { ConfigMap, Pod } from "@drover/api/core/v1";
import { deepFreeze } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { describe, expect, expectTypeOf, it } from "vitest";
import { only } from "./apply-object.ts";
import type { ApplyObject } from "./apply-object.ts";

const cached: DeepReadonly<Pod> = deepFreeze<Pod>({
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name: "web-0",
    namespace: "shop",
    uid: "u-1",
    resourceVersion: "41",
    generation: 2,
    labels: { theirs: "1" },
    managedFields: [{}],
  },
  spec: { containers: [{ name: "c" }] },
});

describe("only", () => {
  it("returns the identity and the owned fields", () => {
    expect(only(cached, { metadata: { labels: { app: "web" } } })).toEqual({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "web-0", namespace: "shop", uid: "u-1", labels: { app: "web" } },
    });
    expect(only(cached, { spec: { containers: [{ name: "c", image: "x" }] } })).toMatchObject({
      spec: { containers: [{ name: "c", image: "x" }] },
    });
    expect(only(cached, {})).toEqual({ apiVersion: "v1", kind: "Pod", metadata: { name: "web-0", namespace: "shop", uid: "u-1" } });
  });

  it("lets no field replace the identity", () => {
    const forged = { kind: "Node", apiVersion: "v9", metadata: { name: "other", uid: "u-2", labels: {} } } as object;
    expect(only(cached, forged)).toEqual({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "web-0", namespace: "shop", uid: "u-1", labels: {} },
    });
  });

  it("treats keys like __proto__ as keys", () => {
    const labels = JSON.parse('{"__proto__":"x"}') as Record<string, string>;
    const { metadata } = only(cached, { metadata: { labels } });
    expect(JSON.stringify(metadata.labels)).toBe('{"__proto__":"x"}');
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it("requires only a name", () => {
    const unnamed: ConfigMap = { metadata: { generateName: "a-" } };
    const named: ConfigMap = { metadata: { name: "c" } };
    expect(() => only(unnamed, {})).toThrow("an object without a name has no identity");
    expect(only(named, { data: { a: "1" } })).toEqual({ data: { a: "1" }, metadata: { name: "c" } });
  });

  it("has the type that apply takes", () => {
    expectTypeOf(only(cached, {})).toExtend<ApplyObject<Pod>>();
    // @ts-expect-error -- a pod has no replicas
    only(cached, { spec: { replicas: 1 } });
    // @ts-expect-error -- the identity cannot be changed
    only(cached, { metadata: { name: "other" } });
    const some: ApplyObject<Deployment> = { metadata: { name: "web" }, spec: { template: { spec: { containers: [{ name: "c" }] } } } };
    expect(some.metadata.name).toBe("web");
  });
});
