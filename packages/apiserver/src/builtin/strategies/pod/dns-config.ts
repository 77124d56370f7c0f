/** Validates DNS config, host aliases and host names of pods. */
import {
  byteLength,
  checkDns1123SubdomainWithUnderscore,
  fieldChild,
  fieldForbidden,
  fieldIndex,
  fieldInvalid,
  fieldRequired,
  fieldTooLong,
  validateLegacyIp,
} from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type { HostAlias, PodDNSConfig, PodSpec } from "@drover/api/core/v1";
import { problemsOf, validateSubdomain } from "../checked-field.ts";

const nameserversMax = 3;
const searchesMax = 32;
const searchCharactersMax = 2048;

/** dnsPolicy None requires nameservers. */
export function validateDnsConfig({ dnsConfig, dnsPolicy }: PodSpec, path: FieldPath): FieldError[] {
  if (dnsPolicy === "None") {
    if (dnsConfig === undefined) return [fieldRequired(path, "must provide `dnsConfig` when `dnsPolicy` is None")];
    if ((dnsConfig.nameservers ?? []).length === 0)
      return [fieldRequired(fieldChild(path, "nameservers"), "must provide at least one DNS nameserver when `dnsPolicy` is None")];
  }
  return dnsConfig === undefined ? [] : validateConfig(dnsConfig, path);
}

/** Entries of /etc/hosts. */
export function validateHostAliases(aliases: readonly HostAlias[] | undefined, path: FieldPath): FieldError[] {
  return (aliases ?? []).flatMap(({ ip, hostnames }, index) => [
    ...validateLegacyIp(ip, fieldChild(fieldIndex(path, index), "ip")),
    ...(hostnames ?? []).flatMap((name, at) => validateSubdomain(name, fieldIndex(fieldChild(fieldIndex(path, index), "hostnames"), at))),
  ]);
}

/** hostnameOverride excludes other host name settings. */
export function validateHostnameOverride(
  { hostnameOverride: name, setHostnameAsFQDN, hostNetwork }: PodSpec,
  path: FieldPath,
): FieldError[] {
  if (name === undefined) return [];
  return [
    ...(setHostnameAsFQDN === true ? [fieldForbidden(path, "may not be specified when setHostnameAsFQDN is true")] : []),
    ...(hostNetwork === true ? [fieldForbidden(path, "may not be specified when hostNetwork is true")] : []),
    ...(byteLength(name) > 64 ? [fieldTooLong(path, 64)] : []),
    ...validateSubdomain(name, path),
  ];
}

function validateConfig({ nameservers, searches, options }: PodDNSConfig, path: FieldPath): FieldError[] {
  const [serversPath, searchesPath] = [fieldChild(path, "nameservers"), fieldChild(path, "searches")];
  const [servers, domains] = [nameservers ?? [], searches ?? []];
  const errors: FieldError[] = [];
  if (servers.length > nameserversMax)
    errors.push(fieldInvalid(serversPath, servers, `must not have more than ${nameserversMax} nameservers`));
  errors.push(...servers.flatMap((server, index) => validateLegacyIp(server, fieldIndex(serversPath, index))));
  if (domains.length > searchesMax) errors.push(fieldInvalid(searchesPath, domains, `must not have more than ${searchesMax} search paths`));
  if (byteLength(domains.join(" ")) > searchCharactersMax) {
    errors.push(
      fieldInvalid(
        searchesPath,
        domains,
        `must not have more than ${searchCharactersMax} characters (including spaces) in the search list`,
      ),
    );
  }
  for (const [index, domain] of domains.entries()) {
    if (domain === ".") continue;
    const bare = domain.endsWith(".") ? domain.slice(0, -1) : domain;
    errors.push(...problemsOf(fieldIndex(searchesPath, index), bare, checkDns1123SubdomainWithUnderscore(bare)));
  }
  return [
    ...errors,
    ...(options ?? []).flatMap(({ name = "" }, index) =>
      name === "" ? [fieldRequired(fieldIndex(fieldChild(path, "options"), index), "must not be empty")] : [],
    ),
  ];
}
