import { Quantity } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import {
  isOvercommitAllowed,
  isWholePages,
  validateContainerResourceName,
  validatePodResourceName,
  validateResourceAmount,
} from "./resource-names.ts";

describe("names of resources", () => {
  it("of containers are a few of Kubernetes' own, and all with a domain", () => {
    for (const name of ["cpu", "memory", "ephemeral-storage", "hugepages-2Mi", "example.com/gpu"])
      expect(validateContainerResourceName(name, "r")).toEqual([]);
    expect(texts(validateContainerResourceName("gpu", "r"))).toEqual([
      'r: Invalid value: "gpu": must be a standard resource type or fully qualified',
      'r: Invalid value: "gpu": must be a standard resource for containers',
    ]);
    expect(texts(validateContainerResourceName("requests.example.com/a", "r"))).toEqual([
      'r: Invalid value: "requests.example.com/a": doesn\'t follow extended resource name standard',
    ]);
  });

  it("of whole pods are fewer", () => {
    expect(validatePodResourceName("cpu", "r")).toEqual([]);
    expect(texts(validatePodResourceName("example.com/gpu", "r"))).toEqual([
      'r: Unsupported value: "example.com/gpu": supported values: "cpu", "hugepages-", "memory"',
    ]);
  });
});

describe("amounts of resources", () => {
  it("are not negative, and whole where things are counted", () => {
    expect(validateResourceAmount("cpu", Quantity.parse("100m"), "r")).toEqual([]);
    expect(texts(validateResourceAmount("cpu", Quantity.parse("-1"), "r"))).toEqual([
      'r: Invalid value: "-1": must be greater than or equal to 0',
    ]);
    expect(texts(validateResourceAmount("example.com/gpu", Quantity.parse("500m"), "r"))).toEqual([
      'r: Invalid value: "500m": must be an integer',
    ]);
  });

  it("of huge pages are whole pages, and never promised twice", () => {
    expect([
      isWholePages("hugepages-2Mi", Quantity.parse("4Mi")),
      isWholePages("hugepages-2Mi", Quantity.parse("3Mi")),
      isWholePages("hugepages-x", Quantity.parse("1")),
    ]).toEqual([true, false, false]);
    expect([isOvercommitAllowed("cpu"), isOvercommitAllowed("hugepages-2Mi"), isOvercommitAllowed("example.com/gpu")]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
