/** Thrown for an object that its resource does not accept; lists every invalid field. */
import { errorBrand } from "@drover/machinery";
import { withCode } from "@drover/machinery/codes";

/** One invalid field. */
export interface ObjectIssue {
  /** "spec.ports[0].name" */
  readonly path: string;
  readonly message: string;
}

const brand = errorBrand<InvalidObjectError>("InvalidObjectError");

/** Thrown by `parse`. `issues` lists every invalid field. */
export class InvalidObjectError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "InvalidObjectError";
  readonly problemCode = "DRV0108";
  readonly issues: readonly ObjectIssue[];

  /** @param object - name for people: "WebApp shop/web" */
  constructor(object: string, issues: readonly ObjectIssue[]) {
    super(withCode(`${object} is not valid: ${issues.map(({ path, message }) => `${path}: ${message}`).join("; ")}`, "DRV0108"));
    this.issues = issues;
  }
}

/** Reports whether the error is an `InvalidObjectError`, also one of another copy of this package. */
export function isInvalidObjectError(error: unknown): error is InvalidObjectError {
  return brand.is(error);
}
