/** Thrown when the server rejects a change of an immutable field and the set must not replace the object. */
import { errorBrand, errorCause } from "@drover/machinery";
import { isApplySetError } from "./apply-set-error.ts";

const brand = errorBrand<ImmutableFieldError>("ImmutableFieldError");

/** The change cannot succeed until the desired object changes, or the existing one is deleted. */
export class ImmutableFieldError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "ImmutableFieldError";
  readonly problemCode = "DRV0403";
  /** The fields that the server names. */
  readonly fields: readonly string[];

  constructor(fields: readonly string[], options: ErrorOptions) {
    super(
      `${fields.join(", ")} cannot be changed; set onImmutable: "recreate" to delete and create the object again, or "leave" to keep it`,
      options,
    );
    this.fields = fields;
  }
}

/** Reports whether the error is an `ImmutableFieldError`, also one of another copy of this package. */
export function isImmutableFieldError(error: unknown): error is ImmutableFieldError {
  return brand.is(error);
}

/** Reports whether an apply failed, and only because of immutable fields: a retry would fail in the same way. */
export function onlyImmutable(error: unknown): boolean {
  return isApplySetError(error) && error.errors.every((one) => isImmutableFieldError(one) || isImmutableFieldError(errorCause(one)));
}
