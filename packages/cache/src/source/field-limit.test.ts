import { Deployment } from "@drover/api/apps/v1";
import { declaredFieldsOf } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { checkDeclared, FieldLimit, sortedFields } from "./field-limit.ts";

describe("FieldLimit", () => {
  it("keeps declared fields, kind, apiVersion and all metadata", () => {
    const limit = new FieldLimit(["spec.nodeName"]);
    const kept = limit.kept({ apiVersion: "v1", kind: "Pod", metadata: { name: "a", x: [1] }, spec: { nodeName: "n", b: 1 }, status: {} });
    expect(kept).toEqual({ apiVersion: "v1", kind: "Pod", metadata: { name: "a", x: [1] }, spec: { nodeName: "n" } });
    expect(declaredFieldsOf(limit.marked(kept))).toEqual(["spec.nodeName"]);
  });

  it("keeps only metadata if nothing is declared", () => {
    expect(new FieldLimit([]).kept({ metadata: { name: "a" }, spec: {} })).toEqual({ metadata: { name: "a" } });
  });

  it("sorts fields, so that equal declarations are equal", () => {
    expect(new FieldLimit(["status.phase", "spec", "status.phase"]).fields).toEqual(["spec", "status.phase"]);
    expect(Object.isFrozen(sortedFields(["b", "a"]))).toBe(true);
  });

  it("refuses what is not a path", () => {
    expect(() => new FieldLimit(["spec."])).toThrow(new TypeError('the field "spec." has an empty name; write it as "spec.nodeName"'));
    expect(() => new FieldLimit([undefined as unknown as string])).toThrow('expected paths such as "spec.nodeName", but one is undefined');
  });
});

describe("checkDeclared", () => {
  it("refuses a path that a built-in kind does not have, and none of other kinds", async () => {
    await expect(checkDeclared(Deployment, new FieldLimit(["spec.replicas", "metadata.name"]))).resolves.toBeUndefined();
    await expect(checkDeclared(Deployment, new FieldLimit(["spec.replica"]))).rejects.toThrow(
      new TypeError('fields of Deployment: there is no field "spec.replica"; did you mean "spec.replicas"?'),
    );
    const widget = { group: "example.com", version: "v1", kind: "Widget" };
    await expect(checkDeclared(widget, new FieldLimit(["anything.at.all"]))).resolves.toBeUndefined();
  });
});
