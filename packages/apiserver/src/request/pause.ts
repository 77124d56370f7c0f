/** Lets others have their turn between the steps of work on a large object. */
import type { RequestContext } from "./request-context.ts";

/** Bodies and objects of this size count as large: a step takes a millisecond or more. */
export const largeBytes: number = 64 * 1024;

/**
 * Returns a promise to await before the next step; undefined for small objects, which need none.
 * @param length - of the stored object, if there is one
 */
export function pauseFor({ request: { body, pause } }: Pick<RequestContext, "request">, length = 0): Promise<void> | undefined {
  return pause !== undefined && (length > largeBytes || isLarge(body)) ? pause() : undefined;
}

/** Whether a body is large. Streams count as small, because their size is not known. */
export function isLarge(body: RequestContext["request"]["body"]): boolean {
  return (typeof body === "string" || body instanceof Uint8Array) && body.length > largeBytes;
}
