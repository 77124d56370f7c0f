/** Context of the conversion: the current path, recursion, and a place to report what cannot be expressed. */
import type { Schema } from "@drover/machinery";
import type { Refusal } from "./refusal.ts";
import type { ZodSchema } from "./zod-schema.ts";

/** The position of the conversion in a schema. */
export interface SchemaWalk {
  /** Current path: "spec.ports[]". */
  readonly path: string;
  /** Converts a nested schema. `step` is appended to the path: ".name", "[]", "{}". */
  readonly into: (schema: ZodSchema, step: string) => Schema;
  /** Reports what cannot be expressed and returns a placeholder, so that one pass finds all problems. */
  readonly refuse: (refusal: Omit<Refusal, "path">) => Schema;
}
