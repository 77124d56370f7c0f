import { describe, expect, it } from "vitest";
import { metricsAnnotation, withAutoscalerAnnotations } from "./autoscaler-annotations.ts";

describe("withAutoscalerAnnotations", () => {
  it("replaces autoscaler annotations and keeps others", () => {
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

  it("sorts annotations, as Go's JSON does", () => {
    const { annotations } = withAutoscalerAnnotations({ annotations: { mine: "x", a: "y" } }, { [metricsAnnotation]: "new" });
    expect(Object.keys(annotations ?? {})).toEqual(["a", metricsAnnotation, "mine"]);
  });

  it("removes the annotations map when it is empty", () => {
    expect(withAutoscalerAnnotations({ annotations: { [metricsAnnotation]: "old" } }, { [metricsAnnotation]: undefined })).toEqual({});
  });

  it("keeps annotations such as __proto__", () => {
    const annotations = JSON.parse('{"__proto__":"x"}') as Record<string, string>;
    expect(Object.entries(withAutoscalerAnnotations({ annotations }, {}).annotations ?? {})).toEqual([["__proto__", "x"]]);
  });
});
