/**
 * A schema of zod 4, as far as one must know it to hand it on. Nothing of zod is imported here, so that programs which
 * define no resources, and have no
 * zod, can be compiled; how a schema is looked into is in zod-node.ts.
 */

/** Any schema of zod 4, the small one included. */
export interface ZodSchema<Output = unknown, Input = unknown> {
  readonly _zod: { readonly output: Output; readonly input: Input; readonly def: { readonly type: string } };
  readonly "~standard": { readonly validate: (value: unknown) => ZodVerdict | Promise<ZodVerdict> };
}

/** What a schema says of a value. */
export interface ZodVerdict {
  /** Undefined when there is nothing wrong. */
  readonly issues?: readonly ZodIssue[] | undefined;
}

/** One thing that is wrong with a value. */
export interface ZodIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The type of what a schema lets through, with its defaults. */
export type ZodOutput<S extends ZodSchema> = S["_zod"]["output"];
