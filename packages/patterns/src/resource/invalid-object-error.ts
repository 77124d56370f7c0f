/** An object that its resource does not take, with every field that is wrong. */

/** One field that is wrong. */
export interface ObjectIssue {
  /** "spec.ports[0].name" */
  readonly path: string;
  readonly message: string;
}

export class InvalidObjectError extends Error {
  override readonly name = "InvalidObjectError";
  readonly issues: readonly ObjectIssue[];

  /** @param object - for people: "WebApp shop/web" */
  constructor(object: string, issues: readonly ObjectIssue[]) {
    super(`${object} is not valid: ${issues.map(({ path, message }) => `${path}: ${message}`).join("; ")}`);
    this.issues = issues;
  }
}
