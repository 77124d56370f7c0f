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

describe("resource names", () => {
  it("of containers are known or qualified", () => {
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

  it("at pod level are cpu, memory and huge pages", () => {
    expect(validatePodResourceName("cpu", "r")).toEqual([]);
    expect(texts(validatePodResourceName("example.com/gpu", "r"))).toEqual([
      'r: Unsupported value: "example.com/gpu": supported values: "cpu", "hugepages-", "memory"',
    ]);
  });
});

describe("resource amounts", () => {
  it("are non-negative, and integers for countable resources", () => {
    expect(validateResourceAmount("cpu", Quantity.parse("100m"), "r")).toEqual([]);
    expect(texts(validateResourceAmount("cpu", Quantity.parse("-1"), "r"))).toEqual([
      'r: Invalid value: "-1": must be greater than or equal to 0',
    ]);
    expect(texts(validateResourceAmount("example.com/gpu", Quantity.parse("500m"), "r"))).toEqual([
      'r: Invalid value: "500m": must be an integer',
    ]);
  });

  it("of huge pages are multiples of the page size, without overcommitment", () => {
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
