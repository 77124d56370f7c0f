/** AlwaysPullImages: nodes pull the images of every pod with the pod's credentials. Off by default. */
import { Pod } from "@drover/api/core/v1";
import type { Container, PodSpec } from "@drover/api/core/v1";
import { fieldNotSupported, newFailure, newForbidden, printFieldError } from "@drover/machinery";
import { StatusError } from "../status-error.ts";
import { typedObject } from "../typed-object.ts";
import type { AdmissionPlugin, AdmissionRequest } from "./admission.ts";
import { writtenPod } from "./pod-write.ts";

export const alwaysPullImages: AdmissionPlugin = {
  name: "AlwaysPullImages",
  mutate: (request) => {
    const spec = specWithNewImages(request);
    if (spec === undefined) return;
    for (const { container } of placed(spec)) container.imagePullPolicy = "Always";
    for (const { image } of spec.volumes ?? []) if (image !== undefined) image.pullPolicy = "Always";
  },
  validate: (request) => {
    const spec = specWithNewImages(request);
    if (spec === undefined) return;
    const errors = [
      ...placed(spec).map(({ container, path }) => ({ path: `${path}.imagePullPolicy`, policy: container.imagePullPolicy ?? "" })),
      ...(spec.volumes ?? []).flatMap(({ image }, index) =>
        image === undefined ? [] : [{ path: `spec.volumes[${index}].image.pullPolicy`, policy: image.pullPolicy ?? "" }],
      ),
    ].filter(({ policy }) => policy !== "Always");
    if (errors.length === 0) return;
    const texts = errors.map(({ path, policy }) => {
      const why = printFieldError(fieldNotSupported(path, policy, ["Always"]));
      return newForbidden({ group: "", resource: "pods" }, request.name, why).message ?? "";
    });
    throw new StatusError(newFailure(500, "", texts.length === 1 ? texts.join("") : `[${texts.join(", ")}]`));
  },
};

/** Returns the spec of a new pod, or of one with an image that it did not have. */
function specWithNewImages(request: AdmissionRequest): PodSpec | undefined {
  const spec = writtenPod(request)?.spec;
  if (spec === undefined || request.operation !== "UPDATE" || request.old === undefined) return spec;
  const before = typedObject(Pod, request.old).spec;
  const known = new Set(before === undefined ? [] : placed(before).map(({ container }) => container.image ?? ""));
  return placed(spec).every(({ container }) => known.has(container.image ?? "")) ? undefined : spec;
}

interface Placed {
  readonly container: Pick<Container, "image" | "imagePullPolicy">;
  readonly path: string;
}

const placed = (spec: PodSpec): readonly Placed[] =>
  (["initContainers", "containers", "ephemeralContainers"] as const).flatMap((field) =>
    (spec[field] ?? []).map((container, index) => ({ container, path: `spec.${field}[${index}]` })),
  );
