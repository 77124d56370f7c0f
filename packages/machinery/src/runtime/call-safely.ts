/** Calls of a user's code that must not fail the caller. */
import { isThenable } from "./thenable.ts";

/**
 * Calls a callback and passes what it throws, or rejects with if it is asynchronous, to `onFailure`. Never throws, unless `onFailure`
 * does. An asynchronous function is assignable to `() => void`, and its rejection would otherwise end the program.
 */
export function callSafely(callback: () => unknown, onFailure: (error: unknown) => void): void {
  try {
    const result = callback();
    if (isThenable(result)) Promise.resolve(result).then(undefined, onFailure);
  } catch (error) {
    onFailure(error);
  }
}
