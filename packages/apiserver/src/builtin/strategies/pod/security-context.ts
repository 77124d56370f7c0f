/** Validates security contexts of pods and containers. */
import {
  byteLength,
  checkUnixId,
  fieldChild,
  fieldDuplicate,
  fieldForbidden,
  fieldIndex,
  fieldInvalid,
  fieldRequired,
  fieldTooLong,
} from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type { AppArmorProfile, PodSecurityContext, PodSpec, SeccompProfile, SecurityContext } from "@drover/api/core/v1";
import { problemsOf, validateOptionalChoice } from "../checked-field.ts";
import { invalidInternal } from "../internal/internal-field.ts";
import { unsupportedName } from "../named-text.ts";
import { containersOf } from "./pod-containers.ts";
import { validateDescendingPath } from "./volume-path.ts";
import { validateWindowsOptions } from "./windows-options.ts";

const profileTypes: readonly string[] = ["Localhost", "RuntimeDefault", "Unconfined"];
const sysctlName = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
const ipcSysctls: ReadonlySet<string> = new Set([
  "kernel.sem",
  "kernel.shmall",
  "kernel.shmmax",
  "kernel.shmmni",
  "kernel.shm_rmid_forced",
  "kernel.shm",
  "kernel.msgmax",
  "kernel.msgmnb",
  "kernel.msgmni",
  "kernel.msg",
]);
const sysctlRule =
  "must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";

/** Validates that of a container. Privileged containers are allowed, as in most clusters. */
export function validateSecurityContext(
  context: SecurityContext | undefined,
  path: FieldPath,
  { hostUsers }: { readonly hostUsers: boolean },
): FieldError[] {
  if (context === undefined) return [];
  const { runAsUser, runAsGroup, procMount, seccompProfile, windowsOptions, appArmorProfile } = context;
  const procPath = fieldChild(path, "procMount");
  return [
    ...validateId(runAsUser, fieldChild(path, "runAsUser")),
    ...validateId(runAsGroup, fieldChild(path, "runAsGroup")),
    ...validateOptionalChoice(procMount, procPath, ["Default", "Unmasked"]),
    ...(hostUsers && procMount === "Unmasked" ? [fieldInvalid(procPath, procMount, "`hostUsers` must be false to use `Unmasked`")] : []),
    ...validateSeccomp(seccompProfile, fieldChild(path, "seccompProfile")),
    ...validateEscalation(context, path),
    ...(windowsOptions === undefined ? [] : validateWindowsOptions(windowsOptions, fieldChild(path, "windowsOptions"))),
    ...validateAppArmor(appArmorProfile, fieldChild(path, "appArmorProfile")),
  ];
}

/** Validates that of a pod. */
export function validatePodSecurityContext(spec: PodSpec, path: FieldPath): FieldError[] {
  const { securityContext: context = {}, shareProcessNamespace, hostPID } = spec;
  return [
    ...validateId(context.fsGroup, fieldChild(path, "fsGroup")),
    ...validateId(context.runAsUser, fieldChild(path, "runAsUser")),
    ...validateId(context.runAsGroup, fieldChild(path, "runAsGroup")),
    ...(context.supplementalGroups ?? []).flatMap((group, index) =>
      validateId(group, fieldIndex(fieldChild(path, "supplementalGroups"), index)),
    ),
    ...(shareProcessNamespace === true && hostPID === true
      ? [fieldInvalid(fieldChild(path, "shareProcessNamespace"), true, "ShareProcessNamespace and HostPID cannot both be enabled")]
      : []),
    ...validateSysctls(context, spec, fieldChild(path, "sysctls")),
    ...validateOptionalChoice(context.fsGroupChangePolicy, fieldChild(path, "fsGroupChangePolicy"), ["Always", "OnRootMismatch"]),
    ...validateSeccomp(context.seccompProfile, fieldChild(path, "seccompProfile")),
    ...(context.windowsOptions === undefined ? [] : validateWindowsOptions(context.windowsOptions, fieldChild(path, "windowsOptions"))),
    ...validateAppArmor(context.appArmorProfile, fieldChild(path, "appArmorProfile")),
    ...validateOptionalChoice(context.supplementalGroupsPolicy, fieldChild(path, "supplementalGroupsPolicy"), ["Merge", "Strict"]),
    ...validateOptionalChoice(context.seLinuxChangePolicy, fieldChild(path, "seLinuxChangePolicy"), ["Recursive"]),
  ];
}

/** Validates an AppArmor profile. */
export function validateAppArmor(profile: AppArmorProfile | undefined, path: FieldPath): FieldError[] {
  if (profile === undefined) return [];
  const { type, localhostProfile }: { readonly type: string; readonly localhostProfile?: string } = profile;
  const localPath = fieldChild(path, "localhostProfile");
  if (type === "") return [fieldRequired(fieldChild(path, "type"), "type is required when appArmorProfile is set")];
  if (!profileTypes.includes(type)) return [unsupportedName(fieldChild(path, "type"), type, profileTypes)];
  if (type !== "Localhost")
    return localhostProfile === undefined
      ? []
      : [fieldInvalid(localPath, localhostProfile, "can only be set when AppArmor type is Localhost")];
  const missing = fieldRequired(localPath, "must be set when AppArmor type is Localhost");
  if (localhostProfile === undefined) return [missing];
  const errors: FieldError[] = [];
  if (localhostProfile.trim() !== localhostProfile)
    errors.push(fieldInvalid(localPath, localhostProfile, "must not be padded with whitespace"));
  else if (localhostProfile === "") errors.push(missing);
  return byteLength(localhostProfile) > 4095 ? [...errors, fieldTooLong(localPath, 4095)] : errors;
}

function validateId(id: number | undefined, path: FieldPath): FieldError[] {
  return id === undefined ? [] : problemsOf(path, id, checkUnixId(id));
}

function validateSeccomp(profile: SeccompProfile | undefined, path: FieldPath): FieldError[] {
  if (profile === undefined) return [];
  const { type, localhostProfile }: { readonly type: string; readonly localhostProfile?: string } = profile;
  const [typePath, localPath] = [fieldChild(path, "type"), fieldChild(path, "localhostProfile")];
  const errors =
    type === ""
      ? [fieldRequired(typePath, "type is required when seccompProfile is set")]
      : validateOptionalChoice(type, typePath, profileTypes);
  if (type !== "Localhost") {
    return localhostProfile === undefined
      ? errors
      : [...errors, invalidInternal(localPath, "SeccompProfile", profile, "can only be set when seccomp type is Localhost")];
  }
  if (localhostProfile === undefined) return [...errors, fieldRequired(localPath, "must be set when seccomp type is Localhost")];
  return [...errors, ...validateDescendingPath(localhostProfile, localPath)];
}

function validateEscalation(context: SecurityContext, path: FieldPath): FieldError[] {
  if (context.allowPrivilegeEscalation !== false) return [];
  const invalid = (detail: string): FieldError => invalidInternal(path, "SecurityContext", context, detail);
  return [
    ...(context.privileged === true ? [invalid("cannot set `allowPrivilegeEscalation` to false and `privileged` to true")] : []),
    ...(context.capabilities?.add ?? [])
      .filter((capability) => capability === "CAP_SYS_ADMIN")
      .map(() => invalid("cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN")),
  ];
}

function validateSysctls({ sysctls }: PodSecurityContext, spec: PodSpec, path: FieldPath): FieldError[] {
  const names = new Set<string>();
  return (sysctls ?? []).flatMap(({ name }, index) => {
    const namePath = fieldChild(fieldIndex(path, index), "name");
    const errors: FieldError[] = [];
    if (name === "") errors.push(fieldRequired(namePath));
    else if (name.length > 253 || !sysctlName.test(name)) errors.push(fieldInvalid(namePath, name, sysctlRule));
    else if (names.has(name)) errors.push(fieldDuplicate(namePath, name));
    names.add(name);
    const namespace = sysctlNamespace(name);
    if (spec.hostNetwork === true && namespace === "net")
      errors.push(fieldInvalid(namePath, name, "may not be specified when 'hostNetwork' is true"));
    else if (spec.hostIPC === true && namespace === "ipc")
      errors.push(fieldInvalid(namePath, name, "may not be specified when 'hostIPC' is true"));
    return errors;
  });
}

/** In sysctl names slashes and dots are interchangeable: whichever comes first is the separator. */
function sysctlNamespace(name: string): "net" | "ipc" | undefined {
  const first = /[./]/.exec(name)?.[0];
  const dotted = first === "/" ? name.replaceAll(/[./]/g, (mark) => (mark === "/" ? "." : "/")) : name;
  if (dotted.startsWith("net.")) return "net";
  return dotted.startsWith("fs.mqueue.") || ipcSysctls.has(dotted) ? "ipc" : undefined;
}

/** Validates what pods with user namespaces may not share with the host. */
export function validateHostUsers(spec: PodSpec, path: FieldPath): FieldError[] {
  if (spec.hostUsers !== false) return [];
  const why = "when `hostUsers` is false";
  return [
    ...(spec.hostNetwork === true ? [fieldForbidden(fieldChild(path, "hostNetwork"), why)] : []),
    ...(spec.hostPID === true ? [fieldForbidden(fieldChild(path, "HostPID"), why)] : []),
    ...(spec.hostIPC === true ? [fieldForbidden(fieldChild(path, "HostIPC"), why)] : []),
    ...containersOf(spec, path)
      .filter(({ container }) => (container.volumeDevices ?? []).length > 0)
      .map((placed) => fieldForbidden(fieldChild(placed.path, "volumeDevices"), why)),
  ];
}
