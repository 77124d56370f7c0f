/** Thrown for a conversion that loses or invents something; contains the smallest object found. */
import { errorBrand } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { withCode } from "@drover/machinery/codes";

/** The parts of a conversion error. */
export interface ConversionFailure {
  /** "WebApp" */
  readonly kind: string;
  /** Versions in the order of conversion: ["v1beta1", "v1", "v1beta1"]. */
  readonly versions: readonly [from: string, to: string, back: string];
  /** What went wrong: "spec.host: \"a\" became nothing". */
  readonly what: string;
  /** The smallest object found, with the defaults of its schema. */
  readonly before: JsonObject;
  /** In the other version; undefined if the converter threw. */
  readonly between?: JsonObject;
  /** Back in the first version; undefined if a converter threw. */
  readonly after?: JsonObject;
}

const brand = errorBrand<ConversionError>("ConversionError");

/** Thrown by `checkConversions`. */
export class ConversionError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "ConversionError";
  readonly problemCode = "DRV0109";
  readonly failure: ConversionFailure;

  constructor(failure: ConversionFailure, note: string, options?: ErrorOptions) {
    const { kind, versions, what, before, between, after } = failure;
    const line = (title: string, version: string, object: JsonObject | undefined): readonly string[] =>
      object === undefined ? [] : [`  ${`${title} (${version}):`.padEnd(20)} ${JSON.stringify(object)}`];
    super(
      withCode(
        [
          `${kind}: conversion ${versions.join(" → ")}: ${what}`,
          ...line("before", versions[0], before),
          ...line("between", versions[1], between),
          ...line("after", versions[2], after),
          `  ${note}`,
        ].join("\n"),
        "DRV0109",
      ),
      options,
    );
    this.failure = failure;
  }
}

/** Reports whether the error is a `ConversionError`, also one of another copy of this package. */
export function isConversionError(error: unknown): error is ConversionError {
  return brand.is(error);
}
