import { errorBrand } from "@drover/machinery";
import { withCode } from "@drover/machinery/codes";

const brand = errorBrand<IncompatibleResourceError>("IncompatibleResourceError");

/** Thrown when a new definition would break stored objects. Nothing was written. */
export class IncompatibleResourceError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "IncompatibleResourceError";
  readonly problemCode = "DRV0104";
  /** One sentence per incompatibility. */
  readonly breaks: readonly string[];

  constructor(definition: string, breaks: readonly string[]) {
    super(
      withCode(
        `${definition} is installed with another schema, and the change would break stored objects:\n${breaks.map((line) => `  ${line}`).join("\n")}\nAdd a new version and keep the old one in "olderVersions", or force the change with onIncompatible: "install"`,
        "DRV0104",
      ),
    );
    this.breaks = breaks;
  }
}

/** Reports whether the error is an `IncompatibleResourceError`, also one of another copy of this package. */
export function isIncompatibleResourceError(error: unknown): error is IncompatibleResourceError {
  return brand.is(error);
}
