/**
 * Settles the IP families of a Service from its spec, its old state and the cluster.
 *
 *     service-strategy → settleFamilies → ServiceAllocator
 */
import type { Service } from "@drover/api/core/v1";
import { fieldInvalid, newInvalid } from "@drover/machinery";
import type { FieldError } from "@drover/machinery";
import { StatusError } from "../../../status-error.ts";
import { invalidName } from "../named-text.ts";
import { validateClusterIps } from "./cluster-ip-validation.ts";
import { clusterIpsOf, familiesOf, familyOf, isExternalName, noClusterIp, sameTexts, specOf } from "./service-shape.ts";
import type { IpFamily, ServiceView } from "./service-shape.ts";

/** The families of the cluster. */
export interface ClusterFamilies {
  readonly defaultFamily: IpFamily;
  readonly isDualStack: boolean;
  readonly hasFamily: (family: string) => boolean;
}

/**
 * Sets `ipFamilyPolicy` and `ipFamilies`. Throws a `StatusError` for contradictory or unavailable families: kube-apiserver checks
 * this before it validates the rest.
 */
export function settleFamilies(service: Service, old: ServiceView | undefined, cluster: ClusterFamilies): void {
  if (isExternalName(service) || (old !== undefined && keepsPreferredFamilies(service, old))) return;
  const spec = (service.spec ??= {});
  const isLoose = spec.clusterIP === noClusterIp && Object.keys(spec.selector ?? {}).length === 0;
  const oldPolicy = old === undefined ? undefined : specOf(old).ipFamilyPolicy;
  spec.ipFamilyPolicy ??= oldPolicy ?? (isLoose ? "RequireDualStack" : "SingleStack");
  refuse(service, validateClusterIps(service, old));
  if (old !== undefined && spec.ipFamilyPolicy === "SingleStack") dropSecond(service, old);
  refuse(service, [
    ...(old === undefined ? [] : validateReduction(service, old)),
    ...validateSingleStack(service),
    ...inferFamilies(service, cluster),
  ]);
  // A headless Service without a selector may name any families.
  if (!isLoose) refuse(service, validateFamiliesAtHand(service, cluster));
  const families = (spec.ipFamilies ??= []);
  if (families.length === 0) families.push(cluster.defaultFamily);
  if (families.length === 1 && spec.ipFamilyPolicy !== "SingleStack" && (isLoose || cluster.isDualStack))
    families.push(families[0] === "IPv4" ? "IPv6" : "IPv4");
}

/** Whether a PreferDualStack Service keeps its families, whatever the cluster now supports. */
export function keepsPreferredFamilies(service: ServiceView, old: ServiceView): boolean {
  const [spec, oldSpec] = [specOf(service), specOf(old)];
  return (
    spec.type === oldSpec.type &&
    !isExternalName(service) &&
    spec.ipFamilyPolicy === "PreferDualStack" &&
    (oldSpec.ipFamilyPolicy ?? "PreferDualStack") === "PreferDualStack" &&
    sameTexts(clusterIpsOf(service), clusterIpsOf(old)) &&
    sameTexts(familiesOf(service), familiesOf(old))
  );
}

/** Switching to SingleStack drops the second family, unless something else changed too. */
function dropSecond(service: Service, old: ServiceView): void {
  const spec = (service.spec ??= {});
  if (sameTexts(clusterIpsOf(old), clusterIpsOf(service)) && clusterIpsOf(service).length > 1)
    spec.clusterIPs = spec.clusterIPs?.slice(0, 1) ?? [];
  if (sameTexts(familiesOf(old), familiesOf(service)) && familiesOf(service).length > 1)
    spec.ipFamilies = spec.ipFamilies?.slice(0, 1) ?? [];
}

function validateReduction(service: ServiceView, old: ServiceView): FieldError[] {
  if (specOf(service).ipFamilyPolicy === "SingleStack") return [];
  const isReduced = (now: readonly string[], before: readonly string[]): boolean => now.length > 0 && now.length < before.length;
  return [
    ...(isReduced(clusterIpsOf(service), clusterIpsOf(old))
      ? [invalidPolicy(service, "must be 'SingleStack' to release the secondary cluster IP")]
      : []),
    ...(isReduced(familiesOf(service), familiesOf(old))
      ? [invalidPolicy(service, "must be 'SingleStack' to release the secondary IP family")]
      : []),
  ];
}

function validateSingleStack(service: ServiceView): FieldError[] {
  if (specOf(service).ipFamilyPolicy !== "SingleStack") return [];
  const both = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
  return [
    ...(clusterIpsOf(service).length === 2 ? [invalidPolicy(service, `${both} cluster IPs are specified`)] : []),
    ...(familiesOf(service).length === 2 ? [invalidPolicy(service, `${both} IP families are specified`)] : []),
  ];
}

/** Adds the families of addresses given without one; refuses addresses of unavailable families. */
function inferFamilies(service: Service, cluster: ClusterFamilies): FieldError[] {
  const spec = (service.spec ??= {});
  const families = [...(spec.ipFamilies ?? [])];
  const addresses = clusterIpsOf(service);
  const errors: FieldError[] = [];
  for (const [index, address] of addresses.entries()) {
    if (address === noClusterIp) break;
    if (index < families.length) continue;
    const family = familyOf(address);
    if (cluster.hasFamily(family)) families.push(family);
    else errors.push(fieldInvalid(`spec.clusterIPs[${index}]`, addresses, `${family} is not configured on this cluster`));
  }
  spec.ipFamilies = families;
  return errors;
}

function validateFamiliesAtHand(service: ServiceView, cluster: ClusterFamilies): FieldError[] {
  const needsBoth = specOf(service).ipFamilyPolicy === "RequireDualStack" && !cluster.isDualStack;
  return [
    ...(needsBoth ? [invalidPolicy(service, "this cluster is not configured for dual-stack services")] : []),
    ...familiesOf(service).flatMap((family, index) =>
      cluster.hasFamily(family) ? [] : [invalidName(`spec.ipFamilies[${index}]`, family, "not configured on this cluster")],
    ),
  ];
}

function invalidPolicy(service: ServiceView, detail: string): FieldError {
  return invalidName("spec.ipFamilyPolicy", specOf(service).ipFamilyPolicy ?? "", detail);
}

function refuse(service: ServiceView, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw new StatusError(newInvalid({ group: "", kind: "Service" }, service.metadata.name ?? "", [...errors]));
}
