import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import { validateFieldReference, validateResourceReference } from "./field-reference.ts";

const field = (fieldPath: string, apiVersion = "v1"): string[] =>
  texts(validateFieldReference({ apiVersion, fieldPath }, "f", ["metadata.name", "spec.nodeName"]));
const resource = (name: string, divisor?: string, containerName?: string): string[] =>
  texts(
    validateResourceReference(
      { resource: name, ...(divisor === undefined ? {} : { divisor }), ...(containerName === undefined ? {} : { containerName }) },
      "f",
      { inVolume: containerName !== undefined },
    ),
  );

describe("validateFieldReference", () => {
  it("requires a supported field path", () => {
    expect(field("metadata.name")).toEqual([]);
    expect(field("status.phase")).toEqual([
      'f.fieldPath: Unsupported value: "status.phase": supported values: "metadata.name", "spec.nodeName"',
    ]);
    expect(field("spec.bogus")).toEqual([
      'f.fieldPath: Invalid value: "spec.bogus": error converting fieldPath: field label not supported: spec.bogus',
    ]);
  });

  it("accepts a single label or annotation", () => {
    expect(field("metadata.labels['app']")).toEqual([]);
    expect(field("metadata.annotations['APP']")).toEqual([]);
    expect(field("metadata.name['app']")).toEqual([
      "f.fieldPath: Invalid value: \"metadata.name['app']\": error converting fieldPath: field label does not support subscript: metadata.name['app']",
    ]);
  });

  it("supports spec.host and apiVersion v1", () => {
    expect(field("spec.host")).toEqual([]);
    expect(field("metadata.name", "v2")).toEqual([
      'f.fieldPath: Invalid value: "metadata.name": error converting fieldPath: unsupported pod version: v2',
    ]);
  });
});

describe("validateResourceReference", () => {
  it("requires a supported resource", () => {
    expect(resource("limits.cpu")).toEqual([]);
    expect(resource("limits.hugepages-2Mi", "1Mi")).toEqual([]);
    expect(resource("limits.gpu")[0]).toContain('Unsupported value: "limits.gpu"');
  });

  it("requires the container name in a volume", () => {
    expect(resource("limits.cpu", undefined, "")).toEqual(["f.containerName: Required value"]);
  });

  it("validates the divisor", () => {
    expect(resource("limits.cpu", "1m")).toEqual([]);
    expect(resource("limits.cpu", "2")).toEqual([
      'f.divisor: Invalid value: "limits.cpu": only divisor\'s values 1m and 1 are supported with the cpu resource',
    ]);
    expect(resource("requests.memory", "3Mi")).toEqual([
      'f.divisor: Invalid value: "requests.memory": only divisor\'s values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the memory resource',
    ]);
  });
});
