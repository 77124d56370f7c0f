/** What zod can say and the schema of a custom resource cannot: where, why, and what to write instead. */

/** One thing that cannot be said. */
export interface Refusal {
  /** "spec.ports[].name", as it would stand in an object. */
  readonly path: string;
  /** "z.date()" */
  readonly what: string;
  readonly why: string;
  /** What to write instead. */
  readonly instead: string;
}

/** A resource that cannot be defined as it is written. Nothing has been sent to a server. */
export class UnsayableSchemaError extends Error {
  override readonly name = "UnsayableSchemaError";
  readonly refusals: readonly Refusal[];

  constructor(resource: string, refusals: readonly Refusal[]) {
    super(`${resource} cannot be a custom resource as it is written:\n${refusals.map(printRefusal).join("\n")}`);
    this.refusals = refusals;
  }
}

function printRefusal({ path, what, why, instead }: Refusal): string {
  return `  ${path}: ${what} ${why}\n    instead: ${instead}`;
}
