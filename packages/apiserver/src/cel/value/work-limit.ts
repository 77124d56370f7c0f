/** The end of an evaluation that has become too expensive; whoever asked for it reports the rule, and no rule is looked at after it. */

/** Texts longer than this are not made. */
export const madeCharactersMax: number = 16 * 1024 * 1024;

/** Thrown where work or memory runs out. */
export class WorkLimitError extends Error {
  override readonly name: string = "WorkLimitError";

  constructor() {
    super("operation cancelled: actual cost limit exceeded");
  }
}

/** Throws before a text of this many characters is made, if that is too many. */
export function limitCharacters(count: number): void {
  if (count > madeCharactersMax) throw new WorkLimitError();
}
