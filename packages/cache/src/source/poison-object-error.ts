/** An object that cannot be read. It is set aside and told about; the others of its kind go on without it. */
import { quoteGo, errorBrand } from "@drover/machinery";
import type { PoisonReport } from "./version-source.ts";

export interface PoisonObjectErrorOptions {
  /** The kind, as far as it is known: "Pod". */
  readonly kind?: string | undefined;
  /** "namespace/name", where it could be made out. */
  readonly key?: string | undefined;
  readonly resourceVersion?: string | undefined;
  /** What the reader said, usually a `JsonError`. */
  readonly cause?: unknown;
}

const brand = errorBrand<PoisonObjectError>("PoisonObjectError");

/** Thrown where the object would have been returned: it is not JSON, or lacks what every object of a server has. */
export class PoisonObjectError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "PoisonObjectError";
  /** The one sentence of what is wrong, without the name of the object. */
  readonly problem: string;
  readonly kind: string | undefined;
  readonly key: string | undefined;
  readonly resourceVersion: string | undefined;

  constructor(problem: string, { kind, key, resourceVersion, cause }: PoisonObjectErrorOptions = {}) {
    const version = resourceVersion === undefined || resourceVersion === "" ? "" : ` at version ${resourceVersion}`;
    super(
      `${kind ?? "object"} ${key === undefined ? "without a name" : quoteGo(key)}${version} cannot be read: ${problem}`,
      cause === undefined ? undefined : { cause },
    );
    this.problem = problem;
    this.kind = kind;
    this.key = key;
    this.resourceVersion = resourceVersion;
  }

  /** The same as plain data, for a source to hand on. */
  get report(): PoisonReport {
    return { key: this.key, resourceVersion: this.resourceVersion, message: this.message };
  }
}

/** Reports whether the error is a `PoisonObjectError`, also one of another copy of this package. */
export function isPoisonObjectError(error: unknown): error is PoisonObjectError {
  return brand.is(error);
}
