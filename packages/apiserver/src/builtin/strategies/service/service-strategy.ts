/**
 * The strategy of Service: settles and validates the spec, then allocates addresses and ports.
 *
 *     prepare (families, kept and dropped fields) → validate → begin (ServiceAllocator)
 *
 * `begin` depends only on `prepare`. kube-apiserver allocates before it validates, so calling `begin` in between reports a
 * Service with errors of both kinds exactly as it does.
 */
import type { Service } from "@drover/api/core/v1";
import { ipWarnings } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import type { ServiceAllocator } from "./service-allocator.ts";
import { settleFamilies } from "./service-families.ts";
import { isExternalName } from "./service-shape.ts";
import { alignClusterIps, dropUnused, keepAllocated } from "./service-update.ts";
import { validateService, validateServiceStatus, validateServiceUpdate } from "./service-validation.ts";
import { serviceWarnings } from "./service-warnings.ts";

/** Returns the strategy of Services that share an allocator. */
export function serviceStrategy(allocator: ServiceAllocator): Strategy<Service> {
  return {
    prepareForCreate: (service) => {
      service.status = { loadBalancer: {} };
      alignClusterIps(service);
      settleFamilies(service, undefined, allocator);
    },
    validate: (service) => validateService(service),
    warningsOnCreate: serviceWarnings,
    prepareForUpdate: (service, old) => {
      keepAllocated(service, old);
      alignClusterIps(service, old);
      settleFamilies(service, old, allocator);
      dropUnused(service, old);
    },
    validateUpdate: validateServiceUpdate,
    warningsOnUpdate: serviceWarnings,
    canonicalize: (service) => {
      if (isExternalName(service)) delete service.spec?.internalTrafficPolicy;
    },
    begin: (service, old, { dryRun }) => allocator.allocate(service, old, { dryRun }),
    afterDelete: (service) => allocator.release(service),
    subresources: {
      status: {
        validateUpdate: validateServiceStatus,
        warningsOnUpdate: (service) =>
          (service.status?.loadBalancer?.ingress ?? []).flatMap(({ ip = "" }, index) =>
            ip === "" ? [] : ipWarnings(ip, `status.loadBalancer.ingress[${index}]`),
          ),
      },
    },
  };
}
