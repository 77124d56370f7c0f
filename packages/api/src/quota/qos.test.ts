import { describe, expect, it } from "vitest";
import { podQosClass } from "./qos.ts";

const both = { cpu: "1", memory: "1Gi" };

describe("podQosClass", () => {
  it("is Guaranteed if limits equal requests", () => {
    expect(podQosClass({ containers: [{ name: "a", resources: { requests: both, limits: { cpu: "1000m", memory: "1Gi" } } }] })).toBe(
      "Guaranteed",
    );
  });

  it("is BestEffort without requests and limits", () => {
    expect(
      podQosClass({
        containers: [{ name: "a" }, { name: "b", resources: { limits: { "example.com/gpu": "1" }, requests: { cpu: "0" } } }],
      }),
    ).toBe("BestEffort");
  });

  it("is Burstable otherwise", () => {
    expect(podQosClass({ containers: [{ name: "a", resources: { requests: { cpu: "1" } } }] })).toBe("Burstable");
    expect(podQosClass({ containers: [{ name: "a", resources: { requests: both, limits: both } }, { name: "b" }] })).toBe("Burstable");
    expect(podQosClass({ containers: [{ name: "a", resources: { requests: both, limits: both } }], initContainers: [{ name: "i" }] })).toBe(
      "Burstable",
    );
  });

  it("uses pod-level resources if set", () => {
    expect(podQosClass({ containers: [{ name: "a" }], resources: { requests: both, limits: both } })).toBe("Guaranteed");
    expect(podQosClass({ containers: [{ name: "a" }], resources: { requests: both } })).toBe("Burstable");
    expect(podQosClass({ containers: [{ name: "a", resources: { limits: both } }], resources: {} })).toBe("BestEffort");
  });
});
