import { deepCopy } from "@drover/machinery";
import { Job } from "@drover/api/batch/v1";
import { describe, expect, it } from "vitest";
import { jobStrategy } from "./job-strategy.ts";
import { sampleContext, sampleOf, sampleTemplate, texts } from "../../../testing/workload-sample.ts";

const made = (spec: Parameters<typeof sampleOf>[1] = {}): Job => {
  const job = sampleOf(Job, { metadata: { uid: "u" }, spec: { template: sampleTemplate({ restartPolicy: "Never" }), ...spec } });
  jobStrategy.prepareForCreate?.(job, sampleContext);
  return job;
};
const changed = (old: Job, change: (job: Job) => void): string[] => {
  const job = deepCopy(old);
  change(job);
  return texts(jobStrategy.validateUpdate?.(job, old));
};
const setImage = ({ spec }: Job): void => void Object.assign(spec?.template.spec?.containers[0] ?? {}, { image: "other" });
const setNodes = ({ spec }: Job): void => void Object.assign(spec?.template.spec ?? {}, { nodeSelector: { a: "b" } });

describe("Job strategy", () => {
  it("accepts a Job with a generated selector", () => {
    expect(jobStrategy.validate?.(made())).toEqual([]);
  });

  it("allows changes of parallelism, but not of completions", () => {
    expect(changed(made(), ({ spec }) => void Object.assign(spec ?? {}, { parallelism: 4, backoffLimit: 1 }))).toEqual([]);
    expect(changed(made(), ({ spec }) => void Object.assign(spec ?? {}, { completions: 4 }))).toEqual([
      "spec.completions: Invalid value: 4: field is immutable",
    ]);
  });

  it("allows scaling an Indexed Job together with its parallelism", () => {
    const old = made({ completionMode: "Indexed", completions: 2, parallelism: 2 });
    expect(changed(old, ({ spec }) => void Object.assign(spec ?? {}, { completions: 3, parallelism: 3 }))).toEqual([]);
    expect(changed(old, ({ spec }) => void Object.assign(spec ?? {}, { completions: 3 }))).toEqual([
      "spec.completions: Invalid value: 3: can only be modified in tandem with spec.parallelism",
    ]);
  });

  it("keeps the template immutable and shows its internal form", () => {
    const [text = ""] = changed(made(), setNodes);
    expect(text).toMatch(/^spec\.template: Invalid value: \{"labels":\{"app":"web",.*"NodeSelector":\{"a":"b"\},.*\}: field is immutable$/);
  });

  it("allows scheduling and resource changes of a suspended idle Job", () => {
    const old = made({ suspend: true });
    expect(changed(old, setNodes)).toEqual([]);
    expect(
      changed(old, ({ spec }) => void Object.assign(spec?.template.spec?.containers[0] ?? {}, { resources: { limits: { cpu: "1" } } })),
    ).toEqual([]);
    expect(changed(old, setImage)[0]).toMatch(/^spec\.template\.spec: Invalid value: .*: field is immutable$/);
    expect(changed({ ...old, status: { active: 1 } }, setNodes)).toHaveLength(1);
  });

  it("requires a name that fits the host names of indexed pods", () => {
    const job = made({ completionMode: "Indexed", completions: 1 });
    job.metadata.name = "a".repeat(63);
    expect(texts(jobStrategy.validate?.(job)).at(-1)).toContain(`will not able to create pod with invalid DNS label: ${"a".repeat(63)}-0`);
  });
});
