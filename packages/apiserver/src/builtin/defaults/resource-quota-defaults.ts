/** Defaults of ResourceQuota: rounded quantities. */
import type { ResourceQuota } from "@drover/api/core/v1";
import { setResourceListDefaults } from "./resource-list-defaults.ts";

export function setResourceQuotaDefaults({ spec, status }: ResourceQuota): void {
  for (const list of [spec?.hard, status?.hard, status?.used]) setResourceListDefaults(list);
}
