/** Ends an evaluation that becomes too expensive; the caller reports the rule and skips all others. */

/** Longer strings are not built. */
export const madeCharactersMax: number = 16 * 1024 * 1024;

/** Thrown when the cost or memory limit is exceeded. */
export class WorkLimitError extends Error {
  override readonly name: string = "WorkLimitError";

  constructor() {
    super("operation cancelled: actual cost limit exceeded");
  }
}

/** Throws if a string of this length would be too long. */
export function limitCharacters(count: number): void {
  if (count > madeCharactersMax) throw new WorkLimitError();
}
