/** The one place where a simulation waits for something real: a turn of the event loop, which ends when no promise can settle any more. */

/** Resolves when everything that follows from what has happened has happened, except what waits for the timeline. */
export const drained = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
