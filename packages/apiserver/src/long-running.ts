/** Requests that may last: watches and streams. */
import type { RequestInfo } from "@drover/machinery";

const streams: ReadonlySet<string> = new Set(["attach", "exec", "log", "portforward", "proxy"]);

/** As kube-apiserver decides it, whether or not the answer is a stream. */
export function isLongRunning({
  verb,
  isResourceRequest,
  subresource,
}: Pick<RequestInfo, "verb" | "isResourceRequest" | "subresource">): boolean {
  return verb === "watch" || verb === "proxy" || (isResourceRequest && streams.has(subresource));
}
