import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { Device } from "@drover/api/resource/v1";
import { validateDevice } from "./device.ts";

const texts = (device: Partial<Device>, isPerDevice = false): string[] =>
  validateDevice({ name: "a", ...device }, "d", { isPerDevice, old: undefined }).map(printFieldError);

describe("validation of a device", () => {
  it("checks names of attributes and capacities", () => {
    expect(texts({ attributes: { "a.io/x_1": { bool: true } }, capacity: { memory: { value: "1Gi" } } })).toEqual([]);
    expect(texts({ attributes: { "/x": { int: 1 } } })).toEqual(['d.attributes: Invalid value: "": the domain must not be empty']);
    expect(texts({ capacity: { "x/": { value: "1" } } })).toEqual(['d.capacity: Invalid value: "": the name must not be empty']);
    expect(texts({ attributes: { ["x".repeat(33)]: { int: 1 } } })).toEqual(["d.attributes: Too long: may not be more than 32 bytes"]);
  });

  it("wants one value of each attribute, and versions as semver.org defines them", () => {
    expect(texts({ attributes: { x: {} } })).toEqual(['d.attributes[x]: Invalid value: "": exactly one value must be specified']);
    expect(texts({ attributes: { x: { version: "1.0" } } })).toEqual([
      'd.attributes[x].version: Invalid value: "1.0": must be a string compatible with semver.org spec 2.0.0',
    ]);
    expect(texts({ attributes: { x: { string: "y".repeat(65) } } })).toEqual([
      "d.attributes[x].string: Too long: may not be more than 64 bytes",
    ]);
  });

  it("checks taints", () => {
    expect(texts({ taints: [{ key: "k", value: "v v", effect: "Nope" as "None" }] })).toHaveLength(2);
    expect(texts({ taints: [{ key: "k", effect: "" as "None" }] })).toEqual(["d.taints[0].effect: Required value"]);
  });

  it("says where it is only if the slice leaves that to devices", () => {
    expect(texts({ nodeName: "n" })).toHaveLength(1);
    expect(texts({ nodeName: "n" }, true)).toEqual([]);
    expect(texts({}, true)).toHaveLength(1);
    expect(texts({ nodeName: "n", allNodes: true }, true)).toHaveLength(1);
  });

  it("wants conditions of binding and of its failure together, and apart", () => {
    expect(texts({ bindingConditions: ["a"], bindingFailureConditions: ["b"] })).toEqual([]);
    expect(texts({ bindingConditions: ["a"], bindingFailureConditions: ["a"] })).toHaveLength(1);
    expect(texts({ bindingConditions: ["a"] })).toHaveLength(1);
    expect(texts({ bindingFailureConditions: ["a"] })).toHaveLength(1);
  });
});
