import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { ResourceSlice } from "@drover/api/resource/v1";
import { validateResourceSlice } from "./resource-slice.ts";

type Spec = ResourceSlice["spec"];

const good: Spec = { driver: "d.io", nodeName: "n", pool: { name: "p", generation: 1, resourceSliceCount: 1 } };
const texts = (change: Partial<Spec>, old?: Spec): string[] => validateResourceSlice({ ...good, ...change }, old).map(printFieldError);

describe("validation of a ResourceSlice", () => {
  it("accepts devices on one node, and names with domains", () => {
    expect(texts({ devices: [{ name: "a", attributes: { model: { string: "x" }, "d.io/v": { version: "1.0.0-rc.1+b" } } }] })).toEqual([]);
    expect(texts({ pool: { ...good.pool, name: "a/b.c" } })).toEqual([]);
  });

  it("requires exactly one field that says where the devices are", () => {
    const { nodeName: _, ...nowhere } = good;
    expect(validateResourceSlice(nowhere)).toHaveLength(1);
    expect(texts({ allNodes: true })).toEqual([
      'spec: Invalid value: "{`nodeName`, `allNodes`}": exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required, but multiple fields are set',
    ]);
    expect(texts({ nodeName: "" })[0]).toBe('spec.nodeName: Invalid value: "": must be either unset or set to a non-empty string');
    expect(texts({ allNodes: false })).toEqual(["spec.allNodes: Invalid value: false: must be either unset or set to true"]);
  });

  it("refuses devices of one name, and more than it has room for", () => {
    const many = Array.from({ length: 129 }, (_none, index) => ({ name: `d${index}` }));
    expect(texts({ devices: [{ name: "a" }, { name: "a" }] })).toEqual(['spec.devices[1]: Duplicate value: "a"']);
    expect(texts({ devices: many })).toEqual(["spec.devices: Too many: 129: must have at most 128 items"]);
    expect(texts({ devices: many.slice(0, 65).map((device) => ({ ...device, taints: [{ key: "k", effect: "None" as const }] })) })).toEqual(
      ["spec.devices: Too many: 65: must have at most 64 items"],
    );
  });

  it("keeps driver, pool and node immutable", () => {
    expect(texts({ driver: "e.io", nodeName: "m" }, good)).toEqual([
      'spec.driver: Invalid value: "e.io": field is immutable',
      'spec.nodeName: Invalid value: "m": field is immutable',
    ]);
  });
});
