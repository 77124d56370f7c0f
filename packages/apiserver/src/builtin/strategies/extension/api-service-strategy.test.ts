import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { APIService, APIServiceSpec } from "@drover/api/apiregistration/v1";
import { apiServiceStrategy } from "./api-service-strategy.ts";

const context = { now: 1_000, user: { name: "u", groups: ["g"] }, dryRun: false };
const good: APIServiceSpec = { group: "a.b", version: "v1", groupPriorityMinimum: 1, versionPriority: 1 };
const texts = (change: Partial<APIServiceSpec>, name = "v1.a.b"): string[] =>
  (apiServiceStrategy.validate?.({ metadata: { name }, spec: { ...good, ...change } }) ?? []).map(printFieldError);

describe("APIService strategy", () => {
  it("requires the name version.group", () => {
    expect(texts({})).toEqual([]);
    expect(texts({}, "v2.a.b")).toEqual(['metadata.name: Invalid value: "v2.a.b": must be `spec.version+"."+spec.group`: "v1.a.b"']);
  });

  it("sets Available for local group versions", () => {
    const service: APIService = { metadata: { name: "v1.a.b" }, spec: good };
    apiServiceStrategy.prepareForCreate?.(service, context);
    expect(service.status).toEqual({
      conditions: [
        {
          type: "Available",
          status: "True",
          lastTransitionTime: "1970-01-01T00:00:01Z",
          reason: "Local",
          message: "Local APIServices are always available",
        },
      ],
    });
  });

  it("validates CA bundle and insecureSkipTLSVerify", () => {
    expect(texts({ insecureSkipTLSVerify: true })).toEqual([
      "spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify",
    ]);
    expect(texts({ service: { name: "s", namespace: "n" }, insecureSkipTLSVerify: true, caBundle: "eA==" })).toEqual([
      "spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present",
    ]);
    expect(texts({ caBundle: "eHg=" })).toEqual(['spec.caBundle: Invalid value: "2 bytes": local APIServices may not have a caBundle']);
  });
});
