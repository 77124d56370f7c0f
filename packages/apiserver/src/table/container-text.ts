/** The containers of a template in two cells: their names, and their images. */
import type { PodTemplateSpec } from "@drover/api/core/v1";

export function containerText(template: PodTemplateSpec | undefined): [names: string, images: string] {
  const containers = template?.spec?.containers ?? [];
  return [containers.map(({ name }) => name).join(","), containers.map(({ image = "" }) => image).join(",")];
}
