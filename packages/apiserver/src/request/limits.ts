/** Default limits, those of kube-apiserver. */
import { budget, minutes, seconds } from "@drover/machinery";
import type { Budget } from "@drover/machinery";
import type { Limits } from "./request-context.ts";

/** A list is one text in memory, and V8 allows no longer one. */
export const listBytes: Budget = budget({
  name: "apiserver/list",
  limit: 500 * 2 ** 20,
  unit: "bytes",
  atLimit: "The list gets a 413; pages and watches of the same objects work. At most a twelfth of the heap on Node.",
});

export const defaultLimits: Limits = {
  bodyBytesMax: 3 * 1024 * 1024,
  objectBytesMax: 1.5 * 1024 * 1024,
  listBytesMax: listBytes.limit,
  freshnessTimeoutMs: seconds(3),
  bookmarkPeriodMs: minutes(1),
  watchTimeoutMs: minutes(30),
};
