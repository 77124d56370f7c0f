/** Thrown for an object that its resource does not accept; lists every invalid field. */

/** One invalid field. */
export interface ObjectIssue {
  /** "spec.ports[0].name" */
  readonly path: string;
  readonly message: string;
}

export class InvalidObjectError extends Error {
  override readonly name = "InvalidObjectError";
  readonly issues: readonly ObjectIssue[];

  /** @param object - name for people: "WebApp shop/web" */
  constructor(object: string, issues: readonly ObjectIssue[]) {
    super(`${object} is not valid: ${issues.map(({ path, message }) => `${path}: ${message}`).join("; ")}`);
    this.issues = issues;
  }
}
