import { describe, expect, it } from "vitest";
import { metricsAnnotation, withAutoscalerAnnotations } from "./autoscaler-annotations.ts";

describe("annotations of an autoscaler", () => {
  it("that carry fields are replaced, others are kept", () => {
    const metadata = {
      name: "a",
      annotations: { [metricsAnnotation]: "old", "autoscaling.alpha.kubernetes.io/scale-up-tolerance": "1", mine: "x" },
    };
    expect(withAutoscalerAnnotations(metadata, { [metricsAnnotation]: "new" })).toEqual({
      name: "a",
      annotations: { mine: "x", [metricsAnnotation]: "new" },
    });
    expect(metadata.annotations[metricsAnnotation]).toBe("old");
  });

  it("are gone altogether when none are left", () => {
    expect(withAutoscalerAnnotations({ annotations: { [metricsAnnotation]: "old" } }, { [metricsAnnotation]: undefined })).toEqual({});
  });

  it("may be called anything", () => {
    const annotations = JSON.parse('{"__proto__":"x"}') as Record<string, string>;
    expect(Object.entries(withAutoscalerAnnotations({ annotations }, {}).annotations ?? {})).toEqual([["__proto__", "x"]]);
  });
});
