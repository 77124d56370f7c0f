/** The body of a request that is too large to be taken. */
import { newRequestEntityTooLarge } from "@drover/machinery";
import { StatusError } from "../status-error.ts";

/** Throws its 413 only when somebody wants to read it, so that who may not even ask is answered with that. */
export function oversizedBody(bytesMax: number): AsyncIterable<Uint8Array> {
  const next = (): Promise<never> => Promise.reject(new StatusError(newRequestEntityTooLarge(`limit is ${bytesMax}`)));
  return { [Symbol.asyncIterator]: () => ({ next }) };
}
