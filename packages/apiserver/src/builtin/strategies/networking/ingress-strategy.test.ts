import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { IngressBackend, IngressSpec } from "@drover/api/networking/v1";
import { ingressStrategy } from "./ingress-strategy.ts";

const metadata = { name: "a" };
const backend: IngressBackend = { service: { name: "s", port: { number: 80 } } };
const texts = (spec: IngressSpec): string[] => (ingressStrategy.validate?.({ metadata, spec }) ?? []).map(printFieldError);

describe("Ingress strategy", () => {
  it("requires a default backend or rules", () => {
    expect(texts({ defaultBackend: backend })).toEqual([]);
    expect(texts({})).toEqual(["spec: Invalid value: null: either `defaultBackend` or `rules` must be specified"]);
  });

  it("validates pathType and paths", () => {
    const path = (text: string, pathType?: string): string[] =>
      texts({ rules: [{ http: { paths: [{ path: text, pathType: pathType as "Exact", backend }] } }] });
    expect([path("/a", "Prefix"), path("", "ImplementationSpecific")]).toEqual([[], []]);
    expect(path("/a")).toEqual(["spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified"]);
    expect(path("a", "Exact")).toEqual(['spec.rules[0].http.paths[0].path: Invalid value: "a": must be an absolute path']);
    expect(path("/a//..", "Exact")).toEqual([
      "spec.rules[0].http.paths[0].path: Invalid value: \"/a//..\": must not contain '//'",
      "spec.rules[0].http.paths[0].path: Invalid value: \"/a//..\": cannot end with '/..'",
    ]);
  });

  it("requires exactly one backend kind and port", () => {
    expect(texts({ defaultBackend: {} })).toEqual(['spec.defaultBackend: Invalid value: "": resource or service backend is required']);
    expect(texts({ defaultBackend: { service: { name: "s" } } })).toEqual([
      "spec.defaultBackend: Required value: port name or number is required",
    ]);
    expect(texts({ defaultBackend: { service: { name: "s", port: { name: "a", number: 1 } } } })).toEqual([
      'spec.defaultBackend: Invalid value: "": cannot set both port name & port number',
    ]);
    expect(texts({ defaultBackend: { resource: { apiGroup: null as never, kind: "K", name: "n" } } })).toEqual([]);
  });

  it("validates hosts", () => {
    expect(texts({ rules: [{ host: "*.a.b" }] })).toEqual([]);
    expect(texts({ rules: [{ host: "1.2.3.4" }] })).toEqual([
      'spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
    ]);
  });

  it("accepts invalid values that existed before", () => {
    const spec: IngressSpec = { defaultBackend: backend, tls: [{ secretName: "A_" }] };
    expect(texts(spec)).toHaveLength(1);
    expect(ingressStrategy.validateUpdate?.({ metadata, spec }, { metadata, spec })).toEqual([]);
  });

  it("warns about the deprecated class annotation", () => {
    expect(
      ingressStrategy.warningsOnCreate?.({ metadata: { name: "a", annotations: { "kubernetes.io/ingress.class": "c" } }, spec: {} }),
    ).toHaveLength(1);
  });
});
