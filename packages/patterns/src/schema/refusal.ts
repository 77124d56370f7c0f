/** Zod schemas that a custom resource cannot express: where, why, and what to write instead. */

/** One part of a schema that cannot be expressed. */
export interface Refusal {
  /** Path in an object: "spec.ports[].name". */
  readonly path: string;
  /** "z.date()" */
  readonly what: string;
  readonly why: string;
  /** What to write instead. */
  readonly instead: string;
}

/** Thrown when a resource cannot be defined as written. Nothing was sent to a server. */
export class UnsayableSchemaError extends Error {
  override readonly name = "UnsayableSchemaError";
  readonly refusals: readonly Refusal[];

  constructor(resource: string, refusals: readonly Refusal[]) {
    super(`${resource} cannot be expressed as a custom resource:\n${refusals.map(printRefusal).join("\n")}`);
    this.refusals = refusals;
  }
}

function printRefusal({ path, what, why, instead }: Refusal): string {
  return `  ${path}: ${what} ${why}\n    instead: ${instead}`;
}
