/** A desired object cannot be made, because one of its name is there and is not ours. */

/** Nothing of the object was touched. */
export class ForeignOwnerError extends Error {
  override readonly name = "ForeignOwnerError";
  /** Which object: "ConfigMap shop/settings". */
  readonly object: string;
  /** Who wanted it, in words. */
  readonly owner: string;
  /** Whose it is, in words; undefined when it is nobody's. */
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
        ? `${object} is there and belongs to nobody, so the set ${set} of ${owner} leaves it alone; say adopt: "unowned" to take such objects over, or choose another name`
        : `${object} belongs to ${otherOwner}, so the set ${set} of ${owner} leaves it alone; choose another name, or take it out of the other's hands first`,
    );
    this.object = object;
    this.owner = owner;
    this.otherOwner = otherOwner;
  }
}
