/** What the parts of the conversion hand to each other: where we are, how to go deeper, and a place for what cannot be said. */
import type { Schema } from "@drover/machinery";
import type { Refusal } from "./refusal.ts";
import type { ZodSchema } from "./zod-schema.ts";

export interface SchemaWalk {
  /** Where we are: "spec.ports[]". */
  readonly path: string;
  /** The schema of a part. `step` is put behind the path: ".name", "[]", "{}". */
  readonly into: (schema: ZodSchema, step: string) => Schema;
  /** Notes what cannot be said and gives a schema to go on with, so that one look finds everything. */
  readonly refuse: (refusal: Omit<Refusal, "path">) => Schema;
}
