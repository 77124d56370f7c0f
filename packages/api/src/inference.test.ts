/** What the compiler infers from the generated types. Most of these fail in `npm run lint`, not at run time. */
import { describe, expect, expectTypeOf, it } from "vitest";
import type {
  Condition,
  IntOrString,
  Kind,
  KubeList,
  KubeObject,
  LabelSelector,
  ObjectMeta,
  ObjectOf,
  QuantityValue,
} from "@drover/machinery";
import { Deployment } from "./apps/v1.ts";
import type { DeploymentList, DeploymentStatus } from "./apps/v1.ts";
import type { Scale } from "./autoscaling/v1.ts";
import { ConfigMap, Namespace, Pod } from "./core/v1.ts";
import type { Container, PodSpec, Secret, Service } from "./core/v1.ts";
import type { NetworkPolicy } from "./networking/v1.ts";
import type { Eviction } from "./policy/v1.ts";

describe("Kind descriptors", () => {
  it("give the type of their objects", () => {
    expectTypeOf<ObjectOf<typeof Deployment>>().toEqualTypeOf<Deployment>();
    expectTypeOf<ObjectOf<typeof Pod>>().toEqualTypeOf<Pod>();
    const nameOf = <T extends KubeObject>(_kind: Kind<T>, object: T): string | undefined => object.metadata.name;
    expect(nameOf(Pod, { metadata: { name: "web" }, spec: { containers: [{ name: "c" }] } })).toBe("web");
    // @ts-expect-error -- a pod has no replicas
    nameOf(Pod, { metadata: {}, spec: { replicas: 1 } });
  });

  it("carry scope and subresources as literal types", () => {
    expectTypeOf(Deployment.scope).toEqualTypeOf<"Namespaced">();
    expectTypeOf(Namespace.scope).toEqualTypeOf<"Cluster">();
    expectTypeOf<keyof typeof Deployment.subresources>().toEqualTypeOf<"scale" | "status">();
    expectTypeOf<keyof typeof ConfigMap.subresources>().toEqualTypeOf<never>();
    // @ts-expect-error -- config maps have no status
    expect(ConfigMap.subresources.status).toBeUndefined();
    const namespaced = <T extends KubeObject>(kind: Kind<T, "Namespaced">): string => kind.plural;
    expect(namespaced(Pod)).toBe("pods");
    // @ts-expect-error -- namespaces do not live in a namespace
    namespaced(Namespace);
  });

  it("are assignable to any Kind", () => {
    expectTypeOf(Deployment).toExtend<Kind>();
    expectTypeOf<Deployment>().toExtend<KubeObject>();
    expectTypeOf<DeploymentList>().toExtend<KubeList<Deployment>>();
    expectTypeOf<Scale>().toExtend<KubeObject>();
    expectTypeOf<Eviction>().toExtend<KubeObject>();
  });
});

describe("fields of generated types", () => {
  it("are required exactly where the server's document says so", () => {
    expectTypeOf<PodSpec>().toHaveProperty("containers").toEqualTypeOf<Container[]>();
    expectTypeOf<Container["name"]>().toEqualTypeOf<string>();
    expectTypeOf<Container["image"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<DeploymentStatus["replicas"]>().toEqualTypeOf<number | undefined>();
    // @ts-expect-error -- a pod's containers are required
    const noContainers: PodSpec = { restartPolicy: "Always" };
    // @ts-expect-error -- a container's name is required
    const noName: Container = { image: "app" };
    expect([noContainers, noName]).toHaveLength(2);
  });

  it("accept only the values of an enum", () => {
    expectTypeOf<PodSpec["restartPolicy"]>().toEqualTypeOf<"Always" | "Never" | "OnFailure" | undefined>();
    // @ts-expect-error -- not a restart policy
    const spec: PodSpec = { containers: [], restartPolicy: "Sometimes" };
    expect(spec.containers).toEqual([]);
  });

  it("share machinery's types", () => {
    expectTypeOf<Pod["metadata"]>().toEqualTypeOf<ObjectMeta>();
    expectTypeOf<NonNullable<Deployment["spec"]>["selector"]>().toEqualTypeOf<LabelSelector>();
    expectTypeOf<NonNullable<NonNullable<Service["status"]>["conditions"]>>().toEqualTypeOf<Condition[]>();
    expectTypeOf<NonNullable<NonNullable<Service["spec"]>["ports"]>[number]["targetPort"]>().toEqualTypeOf<IntOrString | undefined>();
    expectTypeOf<NonNullable<NetworkPolicy["spec"]>["podSelector"]>().toEqualTypeOf<LabelSelector | undefined>();
    expectTypeOf<Secret["data"]>().toEqualTypeOf<Record<string, string> | undefined>();
  });

  it("accept a quantity as text or number", () => {
    const container: Container = { name: "c", resources: { limits: { cpu: 2, memory: "1Gi" } } };
    expectTypeOf<NonNullable<NonNullable<Container["resources"]>["limits"]>>().toEqualTypeOf<Record<string, QuantityValue>>();
    expectTypeOf<string | number>().toExtend<QuantityValue>();
    // @ts-expect-error -- a quantity is not a boolean
    container.resources = { limits: { cpu: true } };
    expect(container.name).toBe("c");
  });

  it("require metadata, and let it be changed", () => {
    // @ts-expect-error -- there is no object without metadata
    const none: Pod = { spec: { containers: [] } };
    const pod: Pod = { metadata: {} };
    pod.metadata.labels = { app: "web" };
    expect([none, pod]).toHaveLength(2);
  });
});

describe("a union of objects", () => {
  it("is discriminated by kind", () => {
    const replicas = (object: Deployment | Pod): number | undefined => {
      if (object.kind !== "Deployment") return undefined;
      expectTypeOf(object).toEqualTypeOf<Deployment>();
      return object.spec?.replicas;
    };
    expect(replicas({ kind: "Pod", metadata: {} })).toBeUndefined();
    // @ts-expect-error -- a deployment is not of kind Pod
    const mixed: Deployment = { kind: "Pod", metadata: {} };
    // @ts-expect-error -- nor of another version
    const old: Deployment = { apiVersion: "apps/v1beta1", metadata: {} };
    expect([mixed, old]).toHaveLength(2);
  });
});
