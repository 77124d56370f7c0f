import type { StoreEvent } from "./store.ts";

/**
 * What an event makes the server hold beside the live data, in characters: the previous value, which only the history keeps, and one
 * rendering of the current one for watchers.
 */
export const eventBytes = ({ key, current, previous }: StoreEvent): number =>
  key.length + (current?.value.length ?? 0) + (previous?.value.length ?? 0);
