/**
 * Why a command could not be done, for people: what is wrong and what to do about it. Everything else that is thrown is
 * a mistake of ours.
 */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** Whether this is for people to read, without the place in the code. */
export function isCommandError(error: unknown): error is CommandError {
  return error instanceof CommandError;
}
