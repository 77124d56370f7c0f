import { describe, expect, it } from "vitest";
import { readSelector, validateMatches, validateRunsForEver, validateSelector } from "./template-selector.ts";
import { texts } from "../../testing/workload-sample.ts";

describe("selector of a workload", () => {
  it("must be set and not empty", () => {
    expect(texts(validateSelector(null, "spec.selector", "deployment"))).toEqual(["spec.selector: Required value"]);
    expect(texts(validateSelector({}, "spec.selector", "deployment"))).toEqual([
      "spec.selector: Invalid value: {}: empty selector is invalid for deployment",
    ]);
    expect(validateSelector({ matchLabels: { a: "b" } }, "spec.selector", "deployment")).toEqual([]);
  });

  it("readSelector returns undefined for an invalid selector", () => {
    expect(readSelector({ matchLabels: { "a b": "c" } })).toBeUndefined();
    expect(readSelector(undefined)?.matchesNothing).toBe(true);
  });

  it("must match the template", () => {
    const selector = readSelector({ matchLabels: { a: "b" } });
    expect(selector && texts(validateMatches(selector, { metadata: { labels: { a: "c" } } }, "spec.template"))).toEqual([
      'spec.template.metadata.labels: Invalid value: {"a":"c"}: `selector` does not match template `labels`',
    ]);
    expect(selector && texts(validateMatches(selector, {}, "spec.template"))).toEqual([
      "spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`",
    ]);
  });

  it("requires restartPolicy Always and no deadline", () => {
    expect(
      texts(
        validateRunsForEver({ spec: { containers: [], restartPolicy: "Never", activeDeadlineSeconds: 5 } }, "spec.template", "DaemonSet"),
      ),
    ).toEqual([
      'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
      "spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in DaemonSet is not Supported",
    ]);
  });
});
