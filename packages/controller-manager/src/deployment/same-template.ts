/** Whether two pod templates ask for the same pods, which is how a Deployment knows its ReplicaSets again. */
import { Deployment } from "@drover/api/apps/v1";
import type { PodTemplateSpec } from "@drover/api/core/v1";
import { schemaFor } from "@drover/api/schemas";
import { semanticEqual } from "@drover/machinery";
import type { DeepReadonly, Schema } from "@drover/machinery";

/** The label by which ReplicaSets of one Deployment tell their pods apart. */
export const templateHashLabel = "pod-template-hash";

type TemplateView = DeepReadonly<PodTemplateSpec>;

const schema: Schema | undefined = schemaFor(Deployment)?.properties?.["spec"]?.properties?.["template"];

/** Equal in meaning, whatever `pod-template-hash` they carry: quantities by value, an empty list like none. */
export function sameTemplate(a: TemplateView | undefined, b: TemplateView | undefined): boolean {
  return semanticEqual(withoutHash(a ?? {}), withoutHash(b ?? {}), schema);
}

/** The template without the label that a ReplicaSet has added. */
export function withoutHash(template: TemplateView): TemplateView {
  const { [templateHashLabel]: hash, ...labels } = template.metadata?.labels ?? {};
  return hash === undefined ? template : { ...template, metadata: { ...template.metadata, labels } };
}
