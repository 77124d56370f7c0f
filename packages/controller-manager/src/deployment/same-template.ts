/** Whether two pod templates are equal, by which a Deployment finds its ReplicaSets. */
import { Deployment } from "@drover/api/apps/v1";
import type { PodTemplateSpec } from "@drover/api/core/v1";
import { schemaFor } from "@drover/api/schemas";
import { semanticEqual } from "@drover/machinery";
import type { DeepReadonly, Schema } from "@drover/machinery";

/** Label by which ReplicaSets of one Deployment tell their pods apart. */
export const templateHashLabel = "pod-template-hash";

type TemplateView = DeepReadonly<PodTemplateSpec>;

const schema: Schema | undefined = schemaFor(Deployment)?.properties?.["spec"]?.properties?.["template"];

/** Compares semantically and ignores `pod-template-hash`: quantities by value, an empty list like a missing one. */
export function sameTemplate(a: TemplateView | undefined, b: TemplateView | undefined): boolean {
  return semanticEqual(withoutHash(a ?? {}), withoutHash(b ?? {}), schema);
}

/** Returns the template without the label that the Deployment added. */
export function withoutHash(template: TemplateView): TemplateView {
  const { [templateHashLabel]: hash, ...labels } = template.metadata?.labels ?? {};
  return hash === undefined ? template : { ...template, metadata: { ...template.metadata, labels } };
}
