import type { Lifecycle, Probe } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { setLifecycleDefaults, setProbeDefaults } from "./probe-defaults.ts";

const probed = (probe: Probe): Probe => {
  setProbeDefaults(probe);
  return probe;
};
const usual = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };

describe("defaults of probes", () => {
  it("set a period of 10 s, a timeout of 1 s and a failure threshold of 3", () => {
    expect(probed({ exec: {} })).toEqual({ exec: {}, ...usual });
    expect(probed({ periodSeconds: 3, timeoutSeconds: 0 })).toEqual({ ...usual, periodSeconds: 3 });
  });

  it("set path / and scheme HTTP of httpGet", () => {
    expect(probed({ httpGet: { port: 80 } }).httpGet).toEqual({ port: 80, path: "/", scheme: "HTTP" });
    expect(probed({ httpGet: { port: 80, path: "/x", scheme: "HTTPS" } }).httpGet).toEqual({ port: 80, path: "/x", scheme: "HTTPS" });
  });

  it("set an empty gRPC service", () => {
    expect(probed({ grpc: { port: 5 } }).grpc).toEqual({ port: 5, service: "" });
  });
});

describe("defaults of lifecycle hooks", () => {
  it("set path / and scheme HTTP of httpGet", () => {
    const lifecycle: Lifecycle = { postStart: { httpGet: { port: 1 } }, preStop: { httpGet: { port: 2 } } };
    setLifecycleDefaults(lifecycle);
    expect(lifecycle).toEqual({
      postStart: { httpGet: { port: 1, path: "/", scheme: "HTTP" } },
      preStop: { httpGet: { port: 2, path: "/", scheme: "HTTP" } },
    });
    expect(() => setLifecycleDefaults(undefined)).not.toThrow();
  });
});
