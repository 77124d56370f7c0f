/** Validates the load balancer status of Service and Ingress. */
import { fieldForbidden, fieldInvalid, fieldRequired, parseIpAddress, validateLegacyIp } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import { validateSubdomain } from "./checked-field.ts";
import { unsupportedName } from "./named-text.ts";

/** An ingress point of a Service or an Ingress. */
export interface LoadBalancerIngress {
  readonly ip?: string;
  readonly hostname?: string;
  readonly ipMode?: string;
}

/** Validates ingress points; existing addresses stay valid. `checkMode` validates what only Services have. */
export function validateLoadBalancerIngress(
  ingress: readonly LoadBalancerIngress[],
  old: readonly LoadBalancerIngress[],
  path: FieldPath,
  checkMode: typeof validateIpMode = () => [],
): FieldError[] {
  const oldValues = old.flatMap(({ ip = "" }) => (ip === "" ? [] : [ip]));
  return ingress.flatMap(({ ip = "", hostname = "", ...rest }, index) => [
    ...(ip === "" ? [] : validateLegacyIp(ip, `${path}[${index}].ip`, { oldValues })),
    ...checkMode({ ip, ...rest }, `${path}[${index}].ipMode`),
    ...(hostname === "" ? [] : validateHostname(hostname, `${path}[${index}].hostname`)),
  ]);
}

/** Validates ipMode, which only Services have. */
export function validateIpMode({ ip = "", ipMode }: LoadBalancerIngress, path: FieldPath): FieldError[] {
  if (ipMode === undefined) return ip === "" ? [] : [fieldRequired(path, "must be specified when `ip` is set")];
  if (ip === "") return [fieldForbidden(path, "may not be specified when `ip` is not set")];
  return ipMode === "VIP" || ipMode === "Proxy" ? [] : [unsupportedName(path, ipMode, ["Proxy", "VIP"])];
}

function validateHostname(hostname: string, path: FieldPath): FieldError[] {
  const isAddress = parseIpAddress(hostname) !== undefined;
  return [
    ...validateSubdomain(hostname, path),
    ...(isAddress ? [fieldInvalid(path, hostname, "must be a DNS name, not an IP address")] : []),
  ];
}
