/**
 * Numbers the attempts of a request. A retry sends the same request object again, so the object is the key of a WeakMap.
 */
import type { HttpRequest } from "@drover/machinery";

/** Counts how often each request object was seen: 1 for the first time. */
export function attemptCounter(): (request: HttpRequest) => number {
  const seen = new WeakMap<HttpRequest, number>();
  return (request) => {
    const attempt = (seen.get(request) ?? 0) + 1;
    seen.set(request, attempt);
    return attempt;
  };
}
