/** Validates Windows options and host process containers. */
import { byteLength, checkDns1123Subdomain, fieldChild, fieldForbidden, fieldInvalid } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type { PodSpec, WindowsSecurityContextOptions } from "@drover/api/core/v1";
import { problemsOf } from "../checked-field.ts";
import { containersOf } from "./pod-containers.ts";

const specKibMax = 64;
// eslint-disable-next-line no-control-regex
const control = /[\u0000-\u001f\u007f]/;
const netBios = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const dnsName = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** Validates the options. */
export function validateWindowsOptions(
  { gmsaCredentialSpecName, gmsaCredentialSpec, runAsUserName }: WindowsSecurityContextOptions,
  path: FieldPath,
): FieldError[] {
  const specPath = fieldChild(path, "gmsaCredentialSpec");
  const errors: FieldError[] = [];
  if (gmsaCredentialSpecName !== undefined)
    errors.push(
      ...problemsOf(fieldChild(path, "gmsaCredentialSpecName"), gmsaCredentialSpecName, checkDns1123Subdomain(gmsaCredentialSpecName)),
    );
  if (gmsaCredentialSpec === "") errors.push(fieldInvalid(specPath, "", "gmsaCredentialSpec cannot be an empty string"));
  else if (gmsaCredentialSpec !== undefined && byteLength(gmsaCredentialSpec) > specKibMax * 1024)
    errors.push(fieldInvalid(specPath, gmsaCredentialSpec, `gmsaCredentialSpec size must be under ${specKibMax} KiB`));
  return runAsUserName === undefined
    ? errors
    : [...errors, ...problemsOf(fieldChild(path, "runAsUserName"), runAsUserName, checkUserName(runAsUserName))];
}

/** If one container is a host process, all must be, with host networking. */
export function validateHostProcesses(spec: PodSpec, path: FieldPath): FieldError[] {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  const containers = containersOf(spec, path).map(({ container, path: at }) => ({
    at,
    own: container.securityContext?.windowsOptions?.hostProcess,
  }));
  const errors = containers
    .filter(({ own }) => ofPod !== undefined && own !== undefined && own !== ofPod)
    .map(({ at, own }) =>
      fieldInvalid(
        fieldChild(at, "securityContext.windowsOptions.hostProcess"),
        own,
        `pod hostProcess value must be identical if both are specified, was ${String(ofPod)}`,
      ),
    );
  const count = containers.filter(({ own }) => own ?? ofPod ?? false).length;
  if (count === 0) return errors;
  if (count !== containers.length)
    errors.push(fieldInvalid(path, "", "If pod contains any hostProcess containers then all containers must be HostProcess containers"));
  if (spec.hostNetwork !== true)
    errors.push(
      fieldInvalid(fieldChild(path, "hostNetwork"), false, "hostNetwork must be true if pod contains any hostProcess containers"),
    );
  return errors;
}

/** Refuses fields that do not apply to the pod's operating system. */
export function validateForSystem(spec: PodSpec, path: FieldPath): FieldError[] {
  if (spec.os?.name === "linux") return windowsSettings(spec, path);
  if (spec.os?.name !== "windows") return [];
  const context = fieldChild(path, "securityContext");
  const ofPod: readonly (readonly [unknown, FieldPath])[] = [
    [spec.securityContext?.appArmorProfile, fieldChild(context, "appArmorProfile")],
    [spec.securityContext?.seLinuxOptions, fieldChild(context, "seLinuxOptions")],
    [spec.hostUsers, fieldChild(path, "hostUsers")],
    [spec.hostPID === true || undefined, fieldChild(path, "hostPID")],
    [spec.hostIPC === true || undefined, fieldChild(path, "hostIPC")],
    [spec.securityContext?.seccompProfile, fieldChild(context, "seccompProfile")],
    [spec.securityContext?.fsGroup, fieldChild(context, "fsGroup")],
    [spec.securityContext?.fsGroupChangePolicy, fieldChild(context, "fsGroupChangePolicy")],
    [(spec.securityContext?.sysctls ?? []).length > 0 || undefined, fieldChild(context, "sysctls")],
    [spec.shareProcessNamespace, fieldChild(path, "shareProcessNamespace")],
    [spec.securityContext?.runAsUser, fieldChild(context, "runAsUser")],
    [spec.securityContext?.runAsGroup, fieldChild(context, "runAsGroup")],
    [spec.securityContext?.supplementalGroups, fieldChild(context, "supplementalGroups")],
    [spec.securityContext?.supplementalGroupsPolicy, fieldChild(context, "supplementalGroupsPolicy")],
    [spec.securityContext?.seLinuxChangePolicy, fieldChild(context, "seLinuxChangePolicy")],
  ];
  const ofContainer = [
    "appArmorProfile",
    "seLinuxOptions",
    "seccompProfile",
    "capabilities",
    "readOnlyRootFilesystem",
    "privileged",
    "allowPrivilegeEscalation",
    "procMount",
    "runAsUser",
    "runAsGroup",
  ] as const;
  const refuse = (at: FieldPath): FieldError => fieldForbidden(at, "cannot be set for a windows pod");
  return [
    ...ofPod.filter(([value]) => value !== undefined).map(([, at]) => refuse(at)),
    ...containersOf(spec, path).flatMap(({ container, path: at }) =>
      ofContainer
        .filter((field) => container.securityContext?.[field] !== undefined)
        .map((field) => refuse(fieldChild(at, `securityContext.${field}`))),
    ),
  ];
}

function windowsSettings(spec: PodSpec, path: FieldPath): FieldError[] {
  const refuse = (at: FieldPath): FieldError =>
    fieldForbidden(fieldChild(at, "securityContext.windowsOptions"), "windows options cannot be set for a linux pod");
  return [
    ...(spec.securityContext?.windowsOptions === undefined ? [] : [refuse(path)]),
    ...containersOf(spec, path)
      .filter(({ container }) => container.securityContext?.windowsOptions !== undefined)
      .map(({ path: at }) => refuse(at)),
  ];
}

function checkUserName(name: string): string[] {
  if (name === "") return ["runAsUserName cannot be an empty string"];
  if (control.test(name)) return ["runAsUserName cannot contain control characters"];
  const parts = name.split("\\");
  if (parts.length > 2) return ["runAsUserName cannot contain more than one backslash"];
  const user = parts.at(-1) ?? "";
  const domain = parts.length === 2 ? parts[0] : undefined;
  const problems: string[] = [];
  if (domain !== undefined && domain.length >= 256) problems.push("runAsUserName's Domain length must be under 256 characters");
  if (domain !== undefined && !netBios.test(domain) && !dnsName.test(domain))
    problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  if (user === "") problems.push("runAsUserName's User cannot be empty");
  else if (user.length > 104) problems.push("runAsUserName's User length must not be longer than 104 characters");
  if (/^[. ]+$/.test(user)) problems.push("runAsUserName's User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) problems.push("runAsUserName's User cannot contain the following characters: \"/\\:;|=,+*?<>@[]");
  return problems;
}
