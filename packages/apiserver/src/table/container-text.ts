/** Names and images of a template's containers, one cell each. */
import type { PodTemplateSpec } from "@drover/api/core/v1";

export function containerText(template: PodTemplateSpec | undefined): [names: string, images: string] {
  const containers = template?.spec?.containers ?? [];
  return [containers.map(({ name }) => name).join(","), containers.map(({ image = "" }) => image).join(",")];
}
