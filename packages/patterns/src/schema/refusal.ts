/** Zod schemas that a custom resource cannot express: where, why, and what to write instead. */
import { errorBrand } from "@drover/machinery";
import { withCode } from "@drover/machinery/codes";

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

const brand = errorBrand<UnsayableSchemaError>("UnsayableSchemaError");

/** Thrown when a resource cannot be defined as written. Nothing was sent to a server. */
export class UnsayableSchemaError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "UnsayableSchemaError";
  readonly problemCode = "DRV0101";
  readonly refusals: readonly Refusal[];

  constructor(resource: string, refusals: readonly Refusal[]) {
    super(withCode(`${resource} cannot be expressed as a custom resource:\n${refusals.map(printRefusal).join("\n")}`, "DRV0101"));
    this.refusals = refusals;
  }
}

/** Reports whether the error is an `UnsayableSchemaError`, also one of another copy of this package. */
export function isUnsayableSchemaError(error: unknown): error is UnsayableSchemaError {
  return brand.is(error);
}

function printRefusal({ path, what, why, instead }: Refusal): string {
  return `  ${path}: ${what} ${why}\n    instead: ${instead}`;
}
