/** What the server knows about one kind of volume source. */
import type { FieldError, FieldPath } from "@drover/machinery";
import type { Volume } from "@drover/api/core/v1";
import type { PodValidation } from "./pod-validation.ts";

/** A kind of source. */
export interface VolumeSourceRule {
  readonly field: Exclude<keyof Volume, "name" | "emptyDir">;
  /** What the server calls it when there is another source already. @default as the field */
  readonly shownAs?: string;
  /** What is wrong with it; the path is the volume's. */
  readonly validate: (volume: Volume, path: FieldPath, rules: PodValidation) => FieldError[];
}
