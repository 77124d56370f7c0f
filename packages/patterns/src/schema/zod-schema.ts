/**
 * A zod 4 schema, as far as callers need its type. Imports nothing from zod, so that programs without zod compile;
 * zod-node.ts reads the internals.
 */

/** Any zod 4 schema, including zod/mini. */
export interface ZodSchema<Output = unknown, Input = unknown> {
  readonly _zod: { readonly output: Output; readonly input: Input; readonly def: { readonly type: string } };
  readonly "~standard": { readonly validate: (value: unknown) => ZodVerdict | Promise<ZodVerdict> };
}

/** Result of a validation. */
export interface ZodVerdict {
  /** Undefined if the value is valid. */
  readonly issues?: readonly ZodIssue[] | undefined;
}

/** One problem of a value. */
export interface ZodIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Output type of a schema, with defaults applied. */
export type ZodOutput<S extends ZodSchema> = S["_zod"]["output"];
