import { describe, expect, it } from "vitest";
import { compileSchema } from "@drover/machinery";
import type { Schema } from "@drover/machinery";
import { versionConversion } from "./version-conversion.ts";

const version = (name: string, properties: Readonly<Record<string, Schema>>): Parameters<typeof versionConversion>[0] => ({
  apiVersion: `ex.io/${name}`,
  schema: compileSchema({ type: "object", properties: { spec: { type: "object", properties } } }),
});
const text: Schema = { type: "string" };

describe("between two versions", () => {
  const served = version("v1beta1", { a: text, b: { type: "string", default: "beta" } });
  const stored = version("v1", {
    a: text,
    d: { type: "string", default: "stored" },
    kept: { type: "object", "x-kubernetes-embedded-resource": true },
  });
  const { toStored, fromStored } = versionConversion(served, stored);

  it("what is stored is what the stored version knows, without its defaults", () => {
    expect(toStored({ apiVersion: "ex.io/v1beta1", kind: "A", metadata: { name: "a" }, spec: { a: "x", b: "y" } })).toEqual({
      apiVersion: "ex.io/v1",
      kind: "A",
      metadata: { name: "a" },
      spec: { a: "x" },
    });
  });

  it("what is read has the stored version's defaults, as far as the served one knows them, and none of its own", () => {
    expect(fromStored({ apiVersion: "ex.io/v1", kind: "A", metadata: { name: "a" }, spec: { a: "x" } })).toEqual({
      apiVersion: "ex.io/v1beta1",
      kind: "A",
      metadata: { name: "a" },
      spec: { a: "x" },
    });
    const other = versionConversion(version("v2", { d: text }), stored);
    expect(other.fromStored({ apiVersion: "ex.io/v1", kind: "A", metadata: {}, spec: { a: "x" } })["spec"]).toEqual({ d: "stored" });
  });

  it("does not change what it is given", () => {
    const object = Object.freeze({ apiVersion: "ex.io/v1beta1", spec: Object.freeze({ b: "y" }) });
    expect(toStored(object)).toEqual({ apiVersion: "ex.io/v1", spec: {} });
  });
});
