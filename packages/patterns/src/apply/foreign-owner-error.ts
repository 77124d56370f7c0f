/** Thrown when an object with the name of a desired one exists and belongs to another owner. */
import { errorBrand } from "@drover/machinery";

const brand = errorBrand<ForeignOwnerError>("ForeignOwnerError");

/** The existing object was not changed. */
export class ForeignOwnerError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "ForeignOwnerError";
  readonly problemCode = "DRV0404";
  /** The object: "ConfigMap shop/settings". */
  readonly object: string;
  /** The owner of the set: "WebApp.demo.example.com shop/web". */
  readonly owner: string;
  /** The owner of the existing object; undefined if it has none. */
  readonly otherOwner: string | undefined;

  constructor({
    object,
    set,
    owner,
    otherOwner,
  }: {
    readonly object: string;
    readonly set: string;
    readonly owner: string;
    readonly otherOwner?: string;
  }) {
    super(
      otherOwner === undefined
        ? `${object} exists and has no owner, so set ${set} of ${owner} does not change it; set adopt: "unowned" to adopt such objects, or choose another name`
        : `${object} belongs to ${otherOwner}, so set ${set} of ${owner} does not change it; choose another name, or release it from the other owner first`,
    );
    this.object = object;
    this.owner = owner;
    this.otherOwner = otherOwner;
  }
}

/** Reports whether the error is a `ForeignOwnerError`, also one of another copy of this package. */
export function isForeignOwnerError(error: unknown): error is ForeignOwnerError {
  return brand.is(error);
}
