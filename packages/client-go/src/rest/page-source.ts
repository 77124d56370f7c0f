/** Pages of a list request, for the client's pager. */
import type { PageSource } from "@drover/client";
import { encodeListOptions } from "@drover/machinery";
import type { KubeList, KubeObject } from "@drover/machinery";
import type { RestRequest } from "./request.ts";

/** Returns a source of pages: `listItems(pageSource<Pod>(restClient.get().resource("pods")))`. */
export function pageSource<T = KubeObject>(request: RestRequest): PageSource<T> {
  return async (options, call) => (await request.versionedParams(options, encodeListOptions).do(call)).into<KubeList<T>>();
}
