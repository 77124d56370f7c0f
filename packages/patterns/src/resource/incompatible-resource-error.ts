/** A definition that objects in the cluster may not survive. Nothing was written. */
export class IncompatibleResourceError extends Error {
  override readonly name = "IncompatibleResourceError";
  /** One sentence for each. */
  readonly breaks: readonly string[];

  constructor(definition: string, breaks: readonly string[]) {
    super(
      `${definition} is installed with another schema, and objects may not survive the change:\n${breaks.map((line) => `  ${line}`).join("\n")}\nMake it a new version with "olderVersions", or install it all the same: onIncompatible: "install"`,
    );
    this.breaks = breaks;
  }
}
