/** An object that cannot be decoded. The cache reports and drops it; other objects are not affected. */
import { quoteGo, errorBrand } from "@drover/machinery";
import type { PoisonReport } from "./version-source.ts";

/** What is known about an object that cannot be decoded. */
export interface PoisonObjectErrorOptions {
  /** Kind, if known: "Pod". */
  readonly kind?: string | undefined;
  /** "namespace/name", if known. */
  readonly key?: string | undefined;
  readonly resourceVersion?: string | undefined;
  /** Error of the decoder, usually a `JsonError`. */
  readonly cause?: unknown;
}

/** Code of the problem. */
export const undecodable = "DRV0502";

const brand = errorBrand<PoisonObjectError>("PoisonObjectError");

/** The object cannot be decoded: it is not valid JSON, or lacks a required field such as `metadata.name`. */
export class PoisonObjectError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "PoisonObjectError";
  readonly problemCode: typeof undecodable = undecodable;
  /** What is wrong, without the name of the object. */
  readonly problem: string;
  readonly kind: string | undefined;
  readonly key: string | undefined;
  readonly resourceVersion: string | undefined;

  constructor(problem: string, { kind, key, resourceVersion, cause }: PoisonObjectErrorOptions = {}) {
    const version = resourceVersion === undefined || resourceVersion === "" ? "" : ` at version ${resourceVersion}`;
    super(
      `${kind ?? "object"} ${key === undefined ? "without a name" : quoteGo(key)}${version} cannot be decoded: ${problem}`,
      cause === undefined ? undefined : { cause },
    );
    this.problem = problem;
    this.kind = kind;
    this.key = key;
    this.resourceVersion = resourceVersion;
  }

  /** The error as plain data, for `VersionSource`. */
  get report(): PoisonReport {
    return { key: this.key, resourceVersion: this.resourceVersion, message: this.message };
  }
}

/** Reports whether the error is a `PoisonObjectError`, also one of another copy of this package. */
export function isPoisonObjectError(error: unknown): error is PoisonObjectError {
  return brand.is(error);
}
