/**
 * Checks a pod by a level and a version of the Pod Security Standards.
 *
 *     LevelVersion → checks of that version → Violation[] → violationText
 */
import { hostNamespaces, hostPathVolumes, hostPorts, hostProbesAndHostLifecycle, windowsHostProcess } from "./host-checks.ts";
import type { CheckedPod, PodCheck, VersionedCheck, Violation } from "./pod-check.ts";
import type { LevelVersion } from "./pod-policy.ts";
import {
  allowPrivilegeEscalation,
  capabilitiesBaseline,
  capabilitiesRestricted,
  privileged,
  procMount,
  procMountRestricted,
} from "./privilege-checks.ts";
import { appArmorProfile, seccompBaseline, seccompRestricted, seLinuxOptions, sysctls } from "./profile-checks.ts";
import { runAsNonRoot, runAsUser } from "./user-checks.ts";
import { restrictedVolumes } from "./volume-checks.ts";

/** By id, in order of bytes. */
export const baselineChecks: readonly PodCheck[] = [
  appArmorProfile,
  capabilitiesBaseline,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  hostProbesAndHostLifecycle,
  privileged,
  procMount,
  seLinuxOptions,
  seccompBaseline,
  sysctls,
  windowsHostProcess,
];
export const restrictedChecks: readonly PodCheck[] = [
  allowPrivilegeEscalation,
  capabilitiesRestricted,
  procMountRestricted,
  restrictedVolumes,
  runAsNonRoot,
  runAsUser,
  seccompRestricted,
];

/** Returns what violates the level, in the order of the checks; a later version than the newest check is that one. */
export function violationsOf({ level, version }: LevelVersion, pod: CheckedPod): Violation[] {
  if (level === "privileged") return [];
  const minor = version === "latest" ? Infinity : version;
  const restricting = level === "baseline" ? [] : restrictedChecks.flatMap((check) => inVersion(check, minor) ?? []);
  const overridden = restricting.flatMap(({ overrides }) => overrides ?? []);
  const baseline = baselineChecks.flatMap((check) => (overridden.includes(check.id) ? [] : (inVersion(check, minor) ?? [])));
  return [...baseline, ...restricting].flatMap(({ check }) => check(pod) ?? []);
}

const inVersion = ({ versions }: PodCheck, minor: number): VersionedCheck | undefined => versions.findLast(({ since }) => since <= minor);

/** "privileged, hostPort". */
export const reasonsText = (violations: readonly Violation[]): string => violations.map(({ reason }) => reason).join(", ");

/** `privileged (container "a" must not …), hostPort (…)`. */
export const violationText = (violations: readonly Violation[]): string =>
  violations.map(({ reason, detail }) => (detail === "" ? reason : `${reason} (${detail})`)).join(", ");
