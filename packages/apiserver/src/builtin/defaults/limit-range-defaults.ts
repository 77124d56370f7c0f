/** Defaults of LimitRange: limits and requests of containers follow from max and min. */
import type { LimitRange, LimitRangeItem } from "@drover/api/core/v1";
import { elements } from "./elements.ts";
import { fillGaps, setResourceListDefaults } from "./resource-list-defaults.ts";

export function setLimitRangeDefaults(range: LimitRange): void {
  for (const item of elements(range.spec?.limits)) {
    if (item.type === "Container") setContainerLimitDefaults(item);
    for (const list of [item.max, item.min, item.default, item.defaultRequest, item.maxLimitRequestRatio]) setResourceListDefaults(list);
  }
}

/** The default limit is max; the default request is the default limit, or else min. */
function setContainerLimitDefaults(item: LimitRangeItem): void {
  const limit = fillGaps(item.default, item.max);
  if (limit !== undefined) item.default = limit;
  const request = fillGaps(item.defaultRequest, limit, item.min);
  if (request !== undefined) item.defaultRequest = request;
}
