import { Job } from "@drover/api/batch/v1";
import { describe, expect, it } from "vitest";
import { sampleOf, sampleTemplate, texts } from "../../../testing/workload-sample.ts";
import { generateJobSelector, validateGeneratedSelector } from "./job-selector.ts";

const job = (spec: Parameters<typeof sampleOf>[1] = {}): Job =>
  sampleOf(Job, { metadata: { uid: "u" }, spec: { template: sampleTemplate({ restartPolicy: "Never" }), ...spec } });

describe("generated selector of a Job", () => {
  it("selects the uid and labels the template", () => {
    const made = job();
    generateJobSelector(made);
    expect(made.spec?.selector).toEqual({ matchLabels: { "batch.kubernetes.io/controller-uid": "u" } });
    expect(made.spec?.template.metadata?.labels).toEqual({
      app: "web",
      "job-name": "web",
      "batch.kubernetes.io/job-name": "web",
      "controller-uid": "u",
      "batch.kubernetes.io/controller-uid": "u",
    });
    expect(validateGeneratedSelector(made)).toEqual([]);
  });

  it("labels the Job too, unless it has labels of its own", () => {
    const bare = job({ template: { spec: { containers: [] } } });
    delete bare.metadata.labels;
    generateJobSelector(bare);
    expect(bare.metadata.labels).toEqual({
      "job-name": "web",
      "batch.kubernetes.io/job-name": "web",
      "controller-uid": "u",
      "batch.kubernetes.io/controller-uid": "u",
    });
    const labelled = job();
    labelled.metadata.labels = { own: "1" };
    generateJobSelector(labelled);
    expect(labelled.metadata.labels).toEqual({ own: "1" });
  });

  it("is not generated with manualSelector", () => {
    const made = job({ manualSelector: true, selector: { matchLabels: { app: "web" } } });
    generateJobSelector(made);
    expect(made.spec?.selector).toEqual({ matchLabels: { app: "web" } });
  });

  it("is refused when changed by the user", () => {
    const made = job({
      selector: { matchLabels: { a: "b" } },
      template: sampleTemplate({ restartPolicy: "Never" }, { labels: { "controller-uid": "x" } }),
    });
    generateJobSelector(made);
    expect(texts(validateGeneratedSelector(made))).toEqual([
      'spec.template.metadata.labels[controller-uid]: Invalid value: {"batch.kubernetes.io/controller-uid":"u","batch.kubernetes.io/job-name":"web","controller-uid":"x","job-name":"web"}: must be \'u\'',
      'spec.selector: Invalid value: {"matchLabels":{"a":"b","batch.kubernetes.io/controller-uid":"u"}}: `selector` not auto-generated',
    ]);
  });
});
