/** Which attempt this is. A retry sends the very same request object again, so the object itself is the key and nothing is left behind. */
import type { HttpRequest } from "@drover/machinery";

/** Counts how often each request object has been seen: 1 for the first time. */
export function attemptCounter(): (request: HttpRequest) => number {
  const seen = new WeakMap<HttpRequest, number>();
  return (request) => {
    const attempt = (seen.get(request) ?? 0) + 1;
    seen.set(request, attempt);
    return attempt;
  };
}
