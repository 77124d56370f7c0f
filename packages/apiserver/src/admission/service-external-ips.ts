/** DenyServiceExternalIPs: services get no further external addresses. Off by default. */
import { Service } from "@drover/api/core/v1";
import { typedObject } from "../typed-object.ts";
import type { AdmissionPlugin } from "./admission.ts";
import { refusal } from "./refusal.ts";

export const denyServiceExternalIPs: AdmissionPlugin = {
  name: "DenyServiceExternalIPs",
  validate: (request) => {
    const { operation, resource, subresource, object, old } = request;
    if (resource.kind.plural !== "services" || resource.kind.group !== "" || subresource !== "" || object === undefined) return;
    if (operation !== "CREATE" && operation !== "UPDATE") return;
    const before = old === undefined ? [] : (typedObject(Service, old).spec?.externalIPs ?? []);
    if ((typedObject(Service, object).spec?.externalIPs ?? []).some((ip) => !before.includes(ip)))
      throw refusal(request, "Use of external IPs is denied by admission control");
  },
};
