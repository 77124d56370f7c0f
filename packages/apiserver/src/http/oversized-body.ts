/** The body of a request that exceeds the size limit. */
import { newRequestEntityTooLarge } from "@drover/machinery";
import { StatusError } from "../status-error.ts";

/** Throws the 413 when it is read, so that an unauthorized request is refused for that reason first. */
export function oversizedBody(bytesMax: number): AsyncIterable<Uint8Array> {
  const next = (): Promise<never> => Promise.reject(new StatusError(newRequestEntityTooLarge(`limit is ${bytesMax}`)));
  return { [Symbol.asyncIterator]: () => ({ next }) };
}
