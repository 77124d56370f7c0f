/** Default limits, those of kube-apiserver. */
import { minutes, seconds } from "@drover/machinery";
import type { Limits } from "./request-context.ts";

export const defaultLimits: Limits = {
  bodyBytesMax: 3 * 1024 * 1024,
  objectBytesMax: 1.5 * 1024 * 1024,
  freshnessTimeoutMs: seconds(3),
  bookmarkPeriodMs: minutes(1),
  watchTimeoutMs: minutes(30),
};
