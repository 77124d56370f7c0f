/** Checks of AppArmor, seccomp, SELinux and sysctls. */
import type { SELinuxOptions } from "@drover/api/core/v1";
import { getOwn, quoteGo } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { badContainers, containersOf, namedContainers, plural, quoted, settersText, sorted, unlessWindows } from "./pod-check.ts";
import type { CheckPod, CheckedPod, PodCheck } from "./pod-check.ts";

const isAllowedType = (type: string): boolean => type === "RuntimeDefault" || type === "Localhost";

const appArmorPrefix = "container.apparmor.security.beta.kubernetes.io/";

const checkAppArmor: CheckPod = (pod) => {
  const isBad = (type: string | undefined): boolean => type !== undefined && !isAllowedType(type);
  const ofPod = pod.spec.securityContext?.appArmorProfile?.type;
  const ofContainers = containersOf(pod).flatMap(({ securityContext }) => securityContext?.appArmorProfile?.type ?? []);
  const annotations = Object.entries(pod.annotations)
    .filter(([key, value]) => key.startsWith(appArmorPrefix) && !isAllowedAnnotation(value))
    .map(([key, value]) => `${key}=${quoteGo(value)}`);
  const setters = [
    settersText(
      isBad(ofPod),
      badContainers(pod, ({ securityContext }) => isBad(securityContext?.appArmorProfile?.type)),
    ),
    annotations.length === 0 ? "" : plural("annotation", "annotations", annotations.length),
  ].filter((text) => text !== "");
  if (setters.length === 0) return undefined;
  const values = [...sorted([...[ofPod].flatMap((type) => type ?? []), ...ofContainers].filter(isBad)), ...sorted(annotations)];
  return {
    reason: plural("forbidden AppArmor profile", "forbidden AppArmor profiles", values.length),
    detail: `${setters.join(" and ")} must not set AppArmor profile type to ${quoted(values)}`,
  };
};

const isAllowedAnnotation = (profile: string): boolean =>
  profile === "" || profile === "runtime/default" || profile.startsWith("localhost/");

const seccompPod = "seccomp.security.alpha.kubernetes.io/pod";
const seccompContainers = "container.seccomp.security.alpha.kubernetes.io/";

/** Before v1.19 profiles were annotations. */
const checkSeccompAnnotations: CheckPod = (pod) => {
  const keys = [seccompPod, ...containersOf(pod).map(({ name }) => `${seccompContainers}${name}`)];
  const forbidden = sorted(
    keys.flatMap((key) => {
      const value = getOwn(pod.annotations, key);
      const isBad = value !== undefined && value !== "runtime/default" && value !== "docker/default" && !value.startsWith("localhost/");
      return isBad ? [`${key}=${quoteGo(value)}`] : [];
    }),
  );
  return forbidden.length === 0
    ? undefined
    : { reason: "seccompProfile", detail: `forbidden ${plural("annotation", "annotations", forbidden.length)} ${forbidden.join(", ")}` };
};

const checkSeccompTypes: CheckPod = (pod) => {
  const isBad = (type: string | undefined): boolean => type !== undefined && !isAllowedType(type);
  const ofPod = pod.spec.securityContext?.seccompProfile?.type;
  const ofContainers = containersOf(pod).flatMap(({ securityContext }) => securityContext?.seccompProfile?.type ?? []);
  const setters = settersText(
    isBad(ofPod),
    badContainers(pod, ({ securityContext }) => isBad(securityContext?.seccompProfile?.type)),
  );
  if (setters === "") return undefined;
  const values = quoted(sorted([...[ofPod].flatMap((type) => type ?? []), ...ofContainers].filter(isBad)));
  return { reason: "seccompProfile", detail: `${setters} must not set securityContext.seccompProfile.type to ${values}` };
};

const checkSeccompSet: CheckPod = (pod) => {
  const bad = checkSeccompTypes(pod);
  if (bad !== undefined) return bad;
  if (pod.spec.securityContext?.seccompProfile !== undefined) return undefined;
  const unset = badContainers(pod, ({ securityContext }) => securityContext?.seccompProfile === undefined);
  return unset.length === 0
    ? undefined
    : {
        reason: "seccompProfile",
        detail: `pod or ${namedContainers(unset)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
      };
};

/** Returns the check that allows these SELinux types, besides none. */
const checkSelinux =
  (...allowed: readonly string[]): CheckPod =>
  (pod) => {
    const isBadType = (type: string): boolean => type !== "" && !allowed.includes(type);
    const isBad = (options: DeepReadonly<SELinuxOptions> | undefined): boolean =>
      options !== undefined && (isBadType(options.type ?? "") || (options.user ?? "") !== "" || (options.role ?? "") !== "");
    const all = selinuxOptions(pod);
    const setters = settersText(
      isBad(pod.spec.securityContext?.seLinuxOptions),
      badContainers(pod, ({ securityContext }) => isBad(securityContext?.seLinuxOptions)),
    );
    if (setters === "") return undefined;
    const types = sorted(all.map(({ type = "" }) => type).filter(isBadType));
    const problems = [
      ...(types.length === 0 ? [] : [`${plural("type", "types", types.length)} ${quoted(types)}`]),
      ...(all.some(({ user = "" }) => user !== "") ? ["user may not be set"] : []),
      ...(all.some(({ role = "" }) => role !== "") ? ["role may not be set"] : []),
    ];
    return { reason: "seLinuxOptions", detail: `${setters} set forbidden securityContext.seLinuxOptions: ${problems.join("; ")}` };
  };

const selinuxOptions = (pod: CheckedPod): DeepReadonly<SELinuxOptions>[] => [
  ...[pod.spec.securityContext?.seLinuxOptions].flatMap((options) => options ?? []),
  ...containersOf(pod).flatMap(({ securityContext }) => securityContext?.seLinuxOptions ?? []),
];

const selinuxTypes: readonly string[] = ["container_t", "container_init_t", "container_kvm_t"];

const safeSysctls: readonly string[] = [
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.tcp_syncookies",
  "net.ipv4.ping_group_range",
  "net.ipv4.ip_unprivileged_port_start",
];
const safeSince27: readonly string[] = [...safeSysctls, "net.ipv4.ip_local_reserved_ports"];
const safeSince29: readonly string[] = [
  ...safeSince27,
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_fin_timeout",
  "net.ipv4.tcp_keepalive_intvl",
  "net.ipv4.tcp_keepalive_probes",
];
const safeSince32: readonly string[] = [...safeSince29, "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"];

const checkSysctls =
  (safe: readonly string[]): CheckPod =>
  ({ spec }) => {
    const names = (spec.securityContext?.sysctls ?? []).map(({ name }) => name).filter((name) => !safe.includes(name));
    return names.length === 0 ? undefined : { reason: "forbidden sysctls", detail: names.join(", ") };
  };

export const appArmorProfile: PodCheck = { id: "appArmorProfile", versions: [{ since: 0, check: checkAppArmor }] };

export const seccompBaseline: PodCheck = {
  id: "seccompProfile_baseline",
  versions: [
    { since: 0, check: checkSeccompAnnotations },
    { since: 19, check: checkSeccompTypes },
  ],
};

export const seccompRestricted: PodCheck = {
  id: "seccompProfile_restricted",
  versions: [
    { since: 19, check: checkSeccompSet, overrides: seccompBaseline.id },
    { since: 25, check: unlessWindows(checkSeccompSet), overrides: seccompBaseline.id },
  ],
};

export const seLinuxOptions: PodCheck = {
  id: "seLinuxOptions",
  versions: [
    { since: 0, check: checkSelinux(...selinuxTypes) },
    { since: 31, check: checkSelinux(...selinuxTypes, "container_engine_t") },
  ],
};

export const sysctls: PodCheck = {
  id: "sysctls",
  versions: [
    { since: 0, check: checkSysctls(safeSysctls) },
    { since: 27, check: checkSysctls(safeSince27) },
    { since: 29, check: checkSysctls(safeSince29) },
    { since: 32, check: checkSysctls(safeSince32) },
  ],
};
