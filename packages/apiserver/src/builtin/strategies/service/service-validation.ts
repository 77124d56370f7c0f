/** Validates Services and updates of them. */
import type { Service } from "@drover/api/core/v1";
import {
  fieldForbidden,
  fieldInvalid,
  fieldKey,
  fieldNotSupported,
  fieldRequired,
  getOwn,
  validateLabels,
  validateLegacyCidr,
  validateLegacyIp,
} from "@drover/machinery";
import type { FieldError } from "@drover/machinery";
import { validateChoice, validateOptionalChoice, validateQualifiedName, validateSubdomain } from "../checked-field.ts";
import { validateEndpointAddress } from "../endpoint-address.ts";
import { validateIpMode, validateLoadBalancerIngress } from "../load-balancer-status.ts";
import { invalidName } from "../named-text.ts";
import { validateClusterIps, validateClusterIpsUpdate, validateFamiliesUpdate } from "./cluster-ip-validation.ts";
import { validatePortsTogether, validateServicePorts } from "./service-port-validation.ts";
import {
  clusterIpsOf,
  familiesOf,
  isExternallyAccessible,
  isExternalName,
  isHeadless,
  isLoadBalancer,
  needsHealthCheckPort,
  specOf,
} from "./service-shape.ts";
import type { ServiceView } from "./service-shape.ts";

const types: readonly string[] = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const onlyLoadBalancer = "may only be used when `type` is 'LoadBalancer'";
const topologyHints = "service.kubernetes.io/topology-aware-hints";
const topologyMode = "service.kubernetes.io/topology-mode";
const sourceRangesAnnotation = "service.beta.kubernetes.io/load-balancer-source-ranges";

/** Validates a Service; `old` is its state before an update. */
export function validateService(service: ServiceView, old?: ServiceView): FieldError[] {
  const { selector, type } = specOf(service);
  return [
    ...validateTopology(service),
    ...validateByType(service),
    ...validateServicePorts(service),
    ...validateLabels(selector, "spec.selector"),
    ...validateSessionAffinity(service),
    ...validateClusterIps(service, old),
    ...validateExternalIps(service, old),
    ...validateChoice(type, "spec.type", types),
    ...validatePortsTogether(service),
    ...validateSourceRanges(service, old),
    ...validateLoadBalancerFields(service),
    ...validateTrafficPolicies(service),
  ];
}

/** Validates an update. */
export function validateServiceUpdate(service: Service, old: ServiceView): FieldError[] {
  const [spec, oldSpec] = [specOf(service), specOf(old)];
  const errors = [...validateClusterIpsUpdate(service, old), ...validateFamiliesUpdate(service, old)];
  if (isLoadBalancer(service) && isLoadBalancer(old) && spec.loadBalancerClass !== oldSpec.loadBalancerClass) {
    errors.push(fieldInvalid("spec.loadBalancerClass", spec.loadBalancerClass ?? null, "may not change once set"));
  }
  // kube-apiserver validates the class here and again below.
  errors.push(...validateLoadBalancerClass(service));
  if (needsHealthCheckPort(service) && needsHealthCheckPort(old) && spec.healthCheckNodePort !== oldSpec.healthCheckNodePort) {
    errors.push(fieldForbidden("spec.healthCheckNodePort", "field is immutable"));
  }
  return [...errors, ...validateService(service, old)];
}

/** Validates an update of `status`. */
export function validateServiceStatus(service: ServiceView, old: ServiceView): FieldError[] {
  const path = "status.loadBalancer.ingress";
  const ingress = service.status?.loadBalancer?.ingress ?? [];
  if (!isLoadBalancer(service))
    return ingress.length === 0 ? [] : [fieldForbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  const before = old.status?.loadBalancer?.ingress ?? [];
  return validateLoadBalancerIngress(ingress, before, path, validateIpMode);
}

function validateTopology({ metadata }: ServiceView): FieldError[] {
  const annotations = metadata.annotations ?? {};
  const [mode, hints] = [getOwn(annotations, topologyMode), getOwn(annotations, topologyHints)];
  if (mode === undefined || hints === undefined || mode === hints) return [];
  return [
    fieldInvalid(fieldKey("metadata.annotations", topologyMode), mode, `must match annotations[${topologyHints}] when both are specified`),
  ];
}

function validateByType(service: ServiceView): FieldError[] {
  const { type = "", ports = [], externalName = "", ipFamilyPolicy } = specOf(service);
  const errors = ports.length === 0 && !isHeadless(service) && !isExternalName(service) ? [fieldRequired("spec.ports")] : [];
  if ((type === "LoadBalancer" || type === "NodePort") && isHeadless(service)) {
    errors.push(fieldInvalid("spec.clusterIPs[0]", clusterIpsOf(service)[0], `may not be set to 'None' for ${type} services`));
  }
  if (!isExternalName(service)) return errors;
  const forbidden = (name: string): FieldError => fieldForbidden(`spec.${name}`, "may not be set for ExternalName services");
  if (clusterIpsOf(service).length > 0) errors.push(forbidden("clusterIPs"));
  if (familiesOf(service).length > 0) errors.push(forbidden("ipFamilies"));
  if (ipFamilyPolicy !== undefined) errors.push(forbidden("ipFamilyPolicy"));
  const name = externalName.replace(/\.$/, "");
  return [...errors, ...(name === "" ? [fieldRequired("spec.externalName")] : validateSubdomain(name, "spec.externalName"))];
}

function validateSessionAffinity(service: ServiceView): FieldError[] {
  const { sessionAffinity, sessionAffinityConfig: config } = specOf(service);
  const path = "spec.sessionAffinityConfig";
  const errors = validateChoice(sessionAffinity, "spec.sessionAffinity", ["ClientIP", "None"]);
  if (sessionAffinity === "None" && config !== undefined)
    errors.push(fieldForbidden(path, "must not be set when session affinity is None"));
  if (sessionAffinity !== "ClientIP") return errors;
  const why = "when session affinity type is ClientIP";
  if (config === undefined) return [...errors, fieldRequired(path, why)];
  if (config.clientIP === undefined) return [...errors, fieldRequired(`${path}.clientIP`, why)];
  const { timeoutSeconds } = config.clientIP;
  if (timeoutSeconds === undefined) return [...errors, fieldRequired(`${path}.clientIP.timeoutSeconds`, why)];
  const isInRange = timeoutSeconds > 0 && timeoutSeconds <= 86400;
  return isInRange
    ? errors
    : [...errors, fieldInvalid(`${path}.clientIP.timeoutSeconds`, timeoutSeconds, "must be greater than 0 and less than 86400")];
}

function validateExternalIps(service: ServiceView, old: ServiceView | undefined): FieldError[] {
  const oldValues = old === undefined ? [] : (specOf(old).externalIPs ?? []);
  return (specOf(service).externalIPs ?? []).flatMap((address, index) => {
    const errors = validateLegacyIp(address, `spec.externalIPs[${index}]`, { oldValues });
    return errors.length > 0 ? errors : validateEndpointAddress(address, `spec.externalIPs[${index}]`);
  });
}

/** kube-apiserver capitalizes the field in its messages. The annotation counts only if the field is unset. */
function validateSourceRanges(service: ServiceView, old: ServiceView | undefined): FieldError[] {
  const { loadBalancerSourceRanges: ranges = [] } = specOf(service);
  const forbidden = (path: string): FieldError[] => (isLoadBalancer(service) ? [] : [fieldForbidden(path, onlyLoadBalancer)]);
  if (ranges.length > 0) {
    const path = "spec.LoadBalancerSourceRanges";
    const oldValues = old === undefined ? [] : (specOf(old).loadBalancerSourceRanges ?? []).map((range) => range.trim());
    return [...forbidden(path), ...ranges.flatMap((range, index) => validateLegacyCidr(range.trim(), `${path}[${index}]`, { oldValues }))];
  }
  const annotation = getOwn(service.metadata.annotations ?? {}, sourceRangesAnnotation);
  if (annotation === undefined) return [];
  const path = fieldKey("metadata.annotations", sourceRangesAnnotation);
  const isChecked = annotation.trim() !== "" && getOwn(old?.metadata.annotations ?? {}, sourceRangesAnnotation) !== annotation;
  return [
    ...forbidden(path),
    ...(isChecked
      ? annotation
          .trim()
          .split(",")
          .flatMap((range) => validateLegacyCidr(range.trim(), path))
      : []),
  ];
}

function validateLoadBalancerFields(service: ServiceView): FieldError[] {
  const { allocateLoadBalancerNodePorts } = specOf(service);
  const errors: FieldError[] = [];
  if (allocateLoadBalancerNodePorts !== undefined && !isLoadBalancer(service))
    errors.push(fieldForbidden("spec.allocateLoadBalancerNodePorts", onlyLoadBalancer));
  if (allocateLoadBalancerNodePorts === undefined && isLoadBalancer(service)) errors.push(fieldRequired("allocateLoadBalancerNodePorts"));
  return [...errors, ...validateLoadBalancerClass(service)];
}

function validateLoadBalancerClass(service: ServiceView): FieldError[] {
  const { loadBalancerClass } = specOf(service);
  if (loadBalancerClass === undefined) return [];
  return isLoadBalancer(service)
    ? validateQualifiedName(loadBalancerClass, "spec.loadBalancerClass")
    : [fieldForbidden("spec.loadBalancerClass", onlyLoadBalancer)];
}

function validateTrafficPolicies(service: ServiceView): FieldError[] {
  const { externalTrafficPolicy, internalTrafficPolicy, healthCheckNodePort = 0, trafficDistribution } = specOf(service);
  const errors: FieldError[] = [];
  if (isExternallyAccessible(service))
    errors.push(...validateChoice(externalTrafficPolicy, "spec.externalTrafficPolicy", ["Cluster", "Local"]));
  else if (externalTrafficPolicy !== undefined) {
    errors.push(invalidName("spec.externalTrafficPolicy", externalTrafficPolicy, "may only be set for externally-accessible services"));
  }
  if (!needsHealthCheckPort(service) && healthCheckNodePort !== 0) {
    errors.push(
      fieldInvalid(
        "spec.healthCheckNodePort",
        healthCheckNodePort,
        "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ),
    );
  }
  if (internalTrafficPolicy === undefined && types.includes(specOf(service).type ?? "") && !isExternalName(service))
    errors.push(fieldRequired("spec.internalTrafficPolicy"));
  errors.push(...validateOptionalChoice(internalTrafficPolicy, "spec.internalTrafficPolicy", ["Cluster", "Local"]));
  const distributions = ["PreferClose", "PreferSameZone", "PreferSameNode"];
  if (trafficDistribution === undefined || distributions.includes(trafficDistribution)) return errors;
  return [...errors, fieldNotSupported("spec.trafficDistribution", trafficDistribution, distributions)];
}
