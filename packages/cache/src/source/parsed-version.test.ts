import { describe, expect, it } from "vitest";
import type { KubeObject } from "@drover/machinery";
import { labelsOf, versionOf } from "./parsed-version.ts";
import { PoisonObjectError } from "./poison-object-error.ts";

const pod = (): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web-0", namespace: "shop", uid: "u-1", resourceVersion: "41", labels: { app: "web" }, ownerReferences: [] },
});

describe("versionOf", () => {
  it("has the fields that the cache needs, and the object", () => {
    const object = pod();
    const version = versionOf(object);
    expect(version).toEqual({
      key: "shop/web-0",
      uid: "u-1",
      resourceVersion: "41",
      isTerminating: false,
      labels: { app: "web" },
      object,
      isParsed: true,
    });
    expect(version.object).toBe(object);
  });

  it("freezes the object recursively", () => {
    const { object } = versionOf(pod());
    expect(Object.isFrozen(object)).toBe(true);
    expect(Object.isFrozen(object.metadata.labels)).toBe(true);
    expect(Object.isFrozen(object.metadata.ownerReferences)).toBe(true);
  });

  it("reads absent fields as empty", () => {
    const version = versionOf({ metadata: { name: "node-1" } });
    expect(version).toMatchObject({ key: "node-1", uid: "", resourceVersion: "", isTerminating: false, labels: {} });
  });

  it("recognises a terminating object; a deletionTimestamp of null does not count", () => {
    expect(versionOf({ metadata: { name: "a", deletionTimestamp: "2026-11-15T13:35:46Z" } }).isTerminating).toBe(true);
    expect(versionOf({ metadata: { name: "a", deletionTimestamp: null } } as unknown as KubeObject).isTerminating).toBe(false);
  });

  it("ignores inherited members", () => {
    const hostile = JSON.parse('{"metadata":{"name":"a","__proto__":{"uid":"stolen"},"labels":{"__proto__":"x"}}}') as KubeObject;
    const version = versionOf(hostile);
    expect(version.uid).toBe("");
    expect(Object.keys(version.labels)).toEqual(["__proto__"]);
    expect(() => versionOf(JSON.parse('{"__proto__":{"metadata":{"name":"a"}}}') as KubeObject)).toThrow(PoisonObjectError);
  });

  it("treats labels that are not an object as none", () => {
    expect(labelsOf({ metadata: { name: "a", labels: ["x"] } })).toEqual({});
  });

  it.each([
    [undefined, "object without a name cannot be decoded: expected an object, but it is missing"],
    [[], "object without a name cannot be decoded: expected an object, but it is a list"],
    [{ kind: "Pod" }, "Pod without a name cannot be decoded: metadata: expected an object, but it is missing"],
    [{ kind: "Pod", metadata: "x" }, "Pod without a name cannot be decoded: metadata: expected an object, but it is a string"],
    [
      { metadata: { name: "", resourceVersion: "7" } },
      "object without a name at version 7 cannot be decoded: metadata.name: expected a name, but it is empty",
    ],
    [{ metadata: { name: {} } }, "object without a name cannot be decoded: metadata.name: expected a name, but it is an object"],
    [{ metadata: { name: null } }, "object without a name cannot be decoded: metadata.name: expected a name, but it is null"],
  ])("names the problem of %j", (object, message) => {
    let thrown: unknown;
    try {
      versionOf(object as KubeObject);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(PoisonObjectError);
    expect((thrown as PoisonObjectError).message).toBe(message);
  });
});
