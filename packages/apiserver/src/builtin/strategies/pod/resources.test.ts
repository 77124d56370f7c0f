import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import { validateContainerResources, validatePodResources } from "./resources.ts";

const none: ReadonlySet<string> = new Set();

describe("validateContainerResources", () => {
  it("refuses requests above limits", () => {
    expect(validateContainerResources({ requests: { cpu: "1" }, limits: { cpu: "1000m" } }, none, "r")).toEqual([]);
    expect(texts(validateContainerResources({ requests: { cpu: "2" }, limits: { cpu: "1500m" } }, none, "r"))).toEqual([
      'r.requests: Invalid value: "2": must be less than or equal to cpu limit of 1500m',
    ]);
  });

  it("requires limits equal to requests without overcommitment", () => {
    expect(texts(validateContainerResources({ requests: { "example.com/gpu": "1" } }, none, "r"))).toEqual([
      "r.limits: Required value: Limit must be set for non overcommitable resources",
    ]);
    expect(
      texts(validateContainerResources({ requests: { "example.com/gpu": "1" }, limits: { "example.com/gpu": "2" } }, none, "r")),
    ).toEqual(['r.requests: Invalid value: "1": must be equal to example.com/gpu limit of 2']);
  });

  it("requires cpu or memory with huge pages", () => {
    expect(texts(validateContainerResources({ limits: { "hugepages-2Mi": "2Mi" } }, none, "r"))).toEqual([
      "r: Forbidden: HugePages require cpu or memory",
    ]);
  });

  it("requires claims of the pod", () => {
    expect(validateContainerResources({ claims: [{ name: "a" }] }, new Set(["a"]), "r")).toEqual([]);
    expect(texts(validateContainerResources({ claims: [{ name: "b" }] }, new Set(["a"]), "r"))).toEqual([
      'r.claims[0]: Not found: "b": must be one of the names in pod.spec.resourceClaims: a',
    ]);
    expect(texts(validateContainerResources({ claims: [{ name: "a" }, { name: "a", request: "x" }] }, new Set(["a"]), "r"))).toEqual([
      'r.claims[1]: Duplicate value: "a"',
    ]);
  });
});

describe("validatePodResources", () => {
  it("requires enough for all containers", () => {
    const containers = [
      { name: "a", resources: { requests: { cpu: "1" } } },
      { name: "b", resources: { requests: { cpu: "1" }, limits: { cpu: "3" } } },
    ];
    expect(
      texts(validatePodResources({ containers, resources: { requests: { cpu: "1" }, limits: { cpu: "2" } } }, none, "s.resources")),
    ).toEqual([
      's.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2',
      's.resources.containers[1][cpu].limits: Invalid value: "3": must be less than or equal to pod limits of 2',
    ]);
  });
});
