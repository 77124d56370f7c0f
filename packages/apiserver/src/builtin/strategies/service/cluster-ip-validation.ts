/** Validates cluster IPs, IP families and their policy, and changes of them. */
import { fieldInvalid, fieldRequired, validateLegacyIp } from "@drover/machinery";
import type { FieldError } from "@drover/machinery";
import { duplicateName, invalidName, unsupportedName } from "../named-text.ts";
import { clusterIpsOf, familiesOf, familyOf, isExternalName, isHeadless, noClusterIp, specOf } from "./service-shape.ts";
import type { ServiceView } from "./service-shape.ts";

const path = "spec.clusterIPs";

/** Validates addresses, families and policy. */
export function validateClusterIps(service: ServiceView, old: ServiceView | undefined): FieldError[] {
  if (isExternalName(service)) return [];
  const addresses = clusterIpsOf(service);
  const { ipFamilyPolicy } = specOf(service);
  const errors = [...validateFirst(service), ...validateFamilies(service)];
  const policies = ["PreferDualStack", "RequireDualStack", "SingleStack"];
  if (ipFamilyPolicy !== undefined && !policies.includes(ipFamilyPolicy))
    errors.push(unsupportedName("spec.ipFamilyPolicy", ipFamilyPolicy, policies));
  const wrong = addresses.flatMap((address, index) => validateAddress(address, index, addresses, old));
  errors.push(...wrong);
  if (addresses.length > 2) errors.push(fieldInvalid(path, addresses, "may only hold up to 2 values"));
  if (wrong.length > 0) return errors;
  if (addresses.length > 1 && !isDualStack(addresses))
    errors.push(fieldInvalid(path, addresses, "may specify no more than one IP for each IP family"));
  return isHeadless(service) ? errors : [...errors, ...validateFamiliesOfAddresses(service)];
}

function validateFirst(service: ServiceView): FieldError[] {
  const addresses = clusterIpsOf(service);
  const { clusterIP = "" } = specOf(service);
  if (clusterIP === "")
    return addresses.length === 0 ? [] : [fieldInvalid(path, addresses, "must be empty when `clusterIP` is not specified")];
  if (addresses.length === 0) return [fieldRequired(path)];
  return addresses[0] === clusterIP ? [] : [fieldInvalid(path, addresses, "first value must match `clusterIP`")];
}

function validateFamilies(service: ServiceView): FieldError[] {
  const families = familiesOf(service);
  return families.flatMap((family, index) => [
    ...(family === "IPv4" || family === "IPv6" ? [] : [unsupportedName(`spec.ipFamilies[${index}]`, family, ["IPv4", "IPv6"])]),
    ...(families.indexOf(family) < index ? [duplicateName(`spec.ipFamilies[${index}]`, family)] : []),
  ]);
}

function validateAddress(address: string, index: number, addresses: readonly string[], old: ServiceView | undefined): FieldError[] {
  if (index === 0 && address === noClusterIp)
    return addresses.length > 1 ? [fieldInvalid(path, addresses, "'None' must be the first and only value")] : [];
  return validateLegacyIp(address, `${path}[${index}]`, { oldValues: old === undefined ? [] : clusterIpsOf(old) });
}

/** Two addresses of different families; more than two count if both families occur. */
function isDualStack(addresses: readonly string[]): boolean {
  return new Set(addresses.map(familyOf)).size === 2;
}

function validateFamiliesOfAddresses(service: ServiceView): FieldError[] {
  const families = familiesOf(service);
  return clusterIpsOf(service)
    .slice(0, families.length)
    .flatMap((address, index) => {
      const family = families[index];
      const isWrong = (family === "IPv4" || family === "IPv6") && familyOf(address) !== family;
      return isWrong
        ? [fieldInvalid(`${path}[${index}]`, address, `expected an ${family} value as indicated by \`ipFamilies[${index}]\``)]
        : [];
    });
}

/** The primary address is immutable; the secondary may change with the policy. */
export function validateClusterIpsUpdate(service: ServiceView, old: ServiceView): FieldError[] {
  if (isExternalName(service) || isExternalName(old) || (isHeadless(service) && isHeadless(old))) return [];
  const [now, before] = [clusterIpsOf(service), clusterIpsOf(old)];
  const changed = (index: number): FieldError => fieldInvalid(`${path}[${index}]`, now, "may not change once set");
  if (now.length === before.length) return before.flatMap((address, index) => (address === now[index] ? [] : [changed(index)]));
  const isFirstChanged = now.length > 0 && before.length > 0 && now[0] !== before[0];
  const errors = isFirstChanged ? [changed(0)] : [];
  if (now.length > before.length) return errors;
  if (now.length === 0) errors.push(fieldInvalid(`${path}[0]`, specOf(service).clusterIPs ?? null, "primary clusterIP can not be unset"));
  return now.length === 1
    ? [...errors, ...validateRelease(service, "must be set to 'SingleStack' when releasing the secondary clusterIP")]
    : errors;
}

/** The same for families, unless the Service is, was or becomes headless. */
export function validateFamiliesUpdate(service: ServiceView, old: ServiceView): FieldError[] {
  if (isExternalName(service) || isExternalName(old) || isHeadless(service) || isHeadless(old)) return [];
  const [now, before] = [familiesOf(service), familiesOf(old)];
  const changed = (value: readonly string[]): FieldError => fieldInvalid("spec.ipFamilies[0]", value, "may not change once set");
  if (now.length === before.length) return before.flatMap((family, index) => (family === now[index] ? [] : [changed(now)]));
  const errors = now.length > 0 && before.length > 0 && now[0] !== before[0] ? [changed(clusterIpsOf(service))] : [];
  if (now.length > before.length) return errors;
  if (clusterIpsOf(service).length === 0)
    errors.unshift(fieldInvalid("spec.ipFamilies[0]", specOf(service).ipFamilies ?? null, "primary ipFamily can not be unset"));
  return now.length === 1
    ? [...errors, ...validateRelease(service, "must be set to 'SingleStack' when releasing the secondary ipFamily")]
    : errors;
}

function validateRelease(service: ServiceView, detail: string): FieldError[] {
  const { ipFamilyPolicy } = specOf(service);
  if (ipFamilyPolicy === "SingleStack") return [];
  return [
    ipFamilyPolicy === undefined
      ? fieldInvalid("spec.ipFamilyPolicy", null, detail)
      : invalidName("spec.ipFamilyPolicy", ipFamilyPolicy, detail),
  ];
}
