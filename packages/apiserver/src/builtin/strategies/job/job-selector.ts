/** Generates and validates the selector of Jobs, which matches the Job's uid unless manualSelector is set. */
import { fieldInvalid, fieldKey, fieldRequired, getOwn, semanticEqual, setOwn } from "@drover/machinery";
import type { FieldError } from "@drover/machinery";
import type { Job, JobSpec } from "@drover/api/batch/v1";
import { invalidInternal } from "../internal/internal-field.ts";
import { readSelector } from "../template-selector.ts";

const nameLabels: readonly string[] = ["job-name", "batch.kubernetes.io/job-name"];
const uidLabel = "batch.kubernetes.io/controller-uid";
const uidLabels: readonly string[] = ["controller-uid", uidLabel];
const metaPath = "spec.template.metadata";

/** Sets the template's labels and the selector, in place. Values set by the user stay, and validation refuses them. Needs the uid. */
export function generateJobSelector({ metadata, spec }: Job): void {
  if (spec === undefined || spec.manualSelector === true) return;
  const { name = "", uid = "" } = metadata;
  const template = { ...spec.template.metadata };
  const labels = { ...template.labels };
  const fill = (keys: readonly string[], value: string): void => {
    for (const key of keys) if (!Object.hasOwn(labels, key)) setOwn(labels, key, value);
  };
  // A Job without labels shares the map of its template's labels, as in kube-apiserver, including labels added here.
  const isShared = semanticEqual(template.labels ?? {}, metadata.labels ?? {});
  fill(nameLabels, name);
  fill(uidLabels, uid);
  if (isShared) metadata.labels = { ...labels };
  spec.template = { ...spec.template, metadata: { ...template, labels } };
  const selector = { ...spec.selector };
  spec.selector = { ...selector, matchLabels: { [uidLabel]: uid, ...selector.matchLabels } };
}

/** The generated labels and selector must be unchanged. */
export function validateGeneratedSelector({ metadata, spec }: Job): FieldError[] {
  if (spec === undefined || spec.manualSelector === true || spec.selector === undefined || spec.selector === null) return [];
  const { name = "", uid = "" } = metadata;
  const selector = readSelector(spec.selector);
  const expected: Readonly<Record<string, string>> = Object.fromEntries<string>([
    ...nameLabels.map((key) => [key, name] as const),
    ...uidLabels.map((key) => [key, uid] as const),
  ]);
  return [
    ...(uid === "" ? [fieldRequired("metadata.uid")] : []),
    ...validateHasLabel(spec, "controller-uid", uid),
    ...validateHasLabel(spec, "job-name", name),
    ...validateHasLabel(spec, uidLabel, uid),
    ...validateHasLabel(spec, "batch.kubernetes.io/job-name", name),
    ...(selector === undefined || selector.matches(expected)
      ? []
      : [invalidInternal("spec.selector", "LabelSelector", spec.selector, "`selector` not auto-generated")]),
  ];
}

function validateHasLabel({ template }: JobSpec, key: string, value: string): FieldError[] {
  const labels = template.metadata?.labels ?? {};
  const found = getOwn(labels, key);
  const path = fieldKey(`${metaPath}.labels`, key);
  if (found === undefined) return [fieldRequired(path, `must be '${value}'`)];
  return found === value ? [] : [fieldInvalid(path, labels, `must be '${value}'`)];
}
