/** The validation of one kind of volume source. */
import type { FieldError, FieldPath } from "@drover/machinery";
import type { Volume } from "@drover/api/core/v1";
import type { PodValidation } from "./pod-validation.ts";

/** A kind of source. */
export interface VolumeSourceRule {
  readonly field: Exclude<keyof Volume, "name" | "emptyDir">;
  /** kube-apiserver's name of it in the error about a second source. @default the field */
  readonly shownAs?: string;
  /** Validates it; the path is the volume's. */
  readonly validate: (volume: Volume, path: FieldPath, rules: PodValidation) => FieldError[];
}
