/** Warnings about Jobs. */
import { fieldChild } from "@drover/machinery";
import type { FieldPath } from "@drover/machinery";
import type { JobSpec } from "@drover/api/batch/v1";
import { podTemplateWarnings } from "../pod/pod-warnings.ts";

/** Returns the warnings of the template, and one about size. */
export function jobSpecWarnings(spec: JobSpec | undefined, path: FieldPath): string[] {
  const isHuge = spec?.completionMode === "Indexed" && (spec.completions ?? 0) > 100_000 && (spec.parallelism ?? 0) > 10_000;
  return [
    ...(isHuge
      ? [
          `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
        ]
      : []),
    ...podTemplateWarnings(spec?.template, fieldChild(path, "template")),
  ];
}
