import { describe, expect, it } from "vitest";
import { fieldTree } from "@drover/machinery";
import { MessagePlan, readString, readStruct, readWrapped } from "./message-plan.ts";
import { shapeTables } from "./tables/shape-tables.ts";
import { structShape } from "./typed-shape.ts";

const planOf = (type: string, options?: Parameters<typeof MessagePlan.of>[1]): MessagePlan => MessagePlan.of(structShape(type), options);
const field = (plan: MessagePlan, name: string) => plan.fields.find((each) => each.name === name);

describe("MessagePlan", () => {
  it("has every field of every type, with its place in JSON", () => {
    const names = shapeTables.flatMap(({ path, types }) =>
      Object.entries(types).flatMap(([name, source]) => (source.startsWith("=") ? [] : [`${path}.${name}`])),
    );
    expect(names.length).toBeGreaterThan(500);
    for (const name of names) {
      const [shape, plan] = [structShape(name), planOf(name)];
      expect(plan.fields.map((each) => [each.name, each.slot])).toEqual(shape.fields.map((each, slot) => [each.name, slot]));
      expect(plan.requiredCount).toBe(plan.fields.filter(({ isRequired }) => isRequired).length);
      // Every number that the shape has, and no other.
      expect(plan.byNumber.flatMap((each, number) => (each === undefined ? [] : [number]))).toEqual(
        shape.message.filter((part) => !("embedded" in part) || part.embedded.fields.length > 0).map(({ number }) => number),
      );
    }
  });

  it("says where Go writes values that are missing", () => {
    const port = planOf("core/v1.ContainerPort");
    expect(port.fields.map(({ name, isRequired, omitsZero }) => [name, isRequired, omitsZero])).toEqual([
      ["name", false, true],
      ["hostPort", false, true],
      ["containerPort", true, false],
      ["protocol", false, true],
      ["hostIP", false, true],
    ]);
    expect(port.completed({ protocol: "TCP" })).toEqual({ containerPort: 0, protocol: "TCP" });
    // A pointer keeps its zero value.
    expect(field(planOf("apps/v1.DeploymentSpec"), "replicas")).toMatchObject({ isRequired: false, omitsZero: false });
    expect(Object.keys(planOf("core/v1.Pod").completed({ status: {}, metadata: {} }))).toEqual(["metadata", "spec", "status"]);
  });

  it("makes a new zero value each time", () => {
    const plan = planOf("core/v1.Pod");
    const [first, second] = [plan.completed({}), plan.completed({})];
    expect(first).toEqual({ metadata: {}, spec: { containers: null }, status: {} });
    expect(first["spec"]).not.toBe(second["spec"]);
    expect(Object.getPrototypeOf(first)).toBe(Object.prototype);
  });

  it("reads a list in a map as a message of its own", () => {
    // The only map of lists is that of extra values of a user.
    const plan = field(planOf("authentication/v1.UserInfo"), "extra");
    expect(plan).toMatchObject({ holds: "map", value: { read: readWrapped, item: { read: readString } } });
  });

  it("has one plan for each type, also for one that contains itself", () => {
    const schema = planOf("apiextensions/v1.JSONSchemaProps");
    const inner = field(schema, "properties")?.value;
    expect([inner?.read, inner?.plan === schema]).toEqual([readStruct, true]);
    const pod = planOf("core/v1.PodSpec");
    expect(field(pod, "containers")?.value.plan).toBe(field(pod, "initContainers")?.value.plan);
  });

  it("has a memo for each field only if parts are shared", () => {
    expect(field(planOf("core/v1.PodSpec"), "containers")?.value.memo).toBeUndefined();
    const shared = planOf("core/v1.PodSpec", { sharesParts: true });
    const [some, others] = ["containers", "initContainers"].map((name) => field(shared, name)?.value.memo);
    expect(some).toBeDefined();
    expect(some).not.toBe(others);
  });

  it("keeps only the fields that are wanted, and all of those that are wanted whole", () => {
    const plan = planOf("core/v1.Pod", { wanted: fieldTree(["spec.nodeName", "metadata", "spec.containers.image"]) });
    expect(plan.fields.map(({ name, slot }) => [name, slot])).toEqual([
      ["metadata", 0],
      ["spec", 1],
    ]);
    expect(plan.byNumber.map((each) => each?.name)).toEqual([undefined, "metadata", "spec", undefined]);
    const spec = field(plan, "spec")?.value.plan;
    expect(spec?.fields.map(({ name }) => name)).toEqual(["containers", "nodeName"]);
    expect(field(plan, "metadata")?.value.plan?.fields.length).toBe(structShape("meta/v1.ObjectMeta").fields.length);
  });

  it("has the type of an object inside an object only if it is wanted", () => {
    const typeMeta = (...paths: string[]): unknown =>
      field(
        planOf("apps/v1.StatefulSetSpec", { setsClaimTypes: true, ...(paths.length === 0 ? {} : { wanted: fieldTree(paths) }) }),
        "volumeClaimTemplates",
      )?.value.typeMeta;
    const claim = { kind: "PersistentVolumeClaim", apiVersion: "v1" };
    expect([typeMeta(), typeMeta("volumeClaimTemplates")]).toEqual([claim, claim]);
    expect(typeMeta("volumeClaimTemplates.spec")).toEqual({});
    expect(typeMeta("volumeClaimTemplates.spec", "volumeClaimTemplates.kind")).toEqual({ kind: "PersistentVolumeClaim" });
  });

  it("keeps wanted fields of embedded types, which are messages of their own", () => {
    const plan = planOf("core/v1.Probe", { wanted: fieldTree(["exec", "periodSeconds"]) });
    expect(plan.fields.map(({ name }) => name)).toEqual(["exec", "periodSeconds"]);
    expect(plan.byNumber[1]?.embedded?.fields.map(({ name }) => name)).toEqual(["exec"]);
    expect(planOf("core/v1.Probe", { wanted: fieldTree(["periodSeconds"]) }).byNumber[1]).toBeUndefined();
  });
});
