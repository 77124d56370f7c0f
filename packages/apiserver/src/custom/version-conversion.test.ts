import { describe, expect, it } from "vitest";
import { compileSchema } from "@drover/machinery";
import type { Schema } from "@drover/machinery";
import { versionConversion } from "./version-conversion.ts";

const version = (name: string, properties: Readonly<Record<string, Schema>>): Parameters<typeof versionConversion>[0] => ({
  apiVersion: `ex.io/${name}`,
  schema: compileSchema({ type: "object", properties: { spec: { type: "object", properties } } }),
});
const text: Schema = { type: "string" };

describe("versionConversion", () => {
  const served = version("v1beta1", { a: text, b: { type: "string", default: "beta" } });
  const stored = version("v1", {
    a: text,
    d: { type: "string", default: "stored" },
    kept: { type: "object", "x-kubernetes-embedded-resource": true },
  });
  const { toStored, fromStored } = versionConversion(served, stored);

  it("stores the fields of the storage version, without its defaults", () => {
    expect(toStored({ apiVersion: "ex.io/v1beta1", kind: "A", metadata: { name: "a" }, spec: { a: "x", b: "y" } })).toEqual({
      apiVersion: "ex.io/v1",
      kind: "A",
      metadata: { name: "a" },
      spec: { a: "x" },
    });
  });

  it("reads the storage version's defaults that the served version knows", () => {
    expect(fromStored({ apiVersion: "ex.io/v1", kind: "A", metadata: { name: "a" }, spec: { a: "x" } })).toEqual({
      apiVersion: "ex.io/v1beta1",
      kind: "A",
      metadata: { name: "a" },
      spec: { a: "x" },
    });
    const other = versionConversion(version("v2", { d: text }), stored);
    expect(other.fromStored({ apiVersion: "ex.io/v1", kind: "A", metadata: {}, spec: { a: "x" } })["spec"]).toEqual({ d: "stored" });
  });

  it("does not change its argument", () => {
    const object = Object.freeze({ apiVersion: "ex.io/v1beta1", spec: Object.freeze({ b: "y" }) });
    expect(toStored(object)).toEqual({ apiVersion: "ex.io/v1", spec: {} });
  });
});
