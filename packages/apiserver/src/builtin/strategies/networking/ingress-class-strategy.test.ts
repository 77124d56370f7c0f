import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { IngressClassSpec } from "@drover/api/networking/v1";
import { ingressClassStrategy } from "./ingress-class-strategy.ts";

const metadata = { name: "a" };
const texts = (spec: IngressClassSpec): string[] => (ingressClassStrategy.validate?.({ metadata, spec }) ?? []).map(printFieldError);

describe("IngressClass strategy", () => {
  it("requires a qualified controller name", () => {
    expect(texts({ controller: "example.com/c" })).toEqual([]);
    expect(texts({ controller: "c" })).not.toEqual([]);
  });

  it("validates parameters", () => {
    const parameters = { kind: "K", name: "n" };
    expect(texts({ controller: "a.b/c", parameters: { ...parameters, scope: "Namespace" } })).toEqual([
      "spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'",
    ]);
    expect(texts({ controller: "a.b/c", parameters: { ...parameters, scope: "Cluster", namespace: "n" } })).toEqual([
      "spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'",
    ]);
    expect(texts({ controller: "a.b/c", parameters })).toEqual(["spec.parameters.scope: Required value"]);
  });

  it("keeps the controller immutable", () => {
    expect(
      (
        ingressClassStrategy.validateUpdate?.({ metadata, spec: { controller: "a.b/d" } }, { metadata, spec: { controller: "a.b/c" } }) ??
        []
      ).map(printFieldError),
    ).toEqual(['spec.controller: Invalid value: "a.b/d": field is immutable']);
  });
});
