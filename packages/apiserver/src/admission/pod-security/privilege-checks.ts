/** Checks of privileges and capabilities. */
import { badContainers, containersOf, namedContainers, quoted, sorted, unlessUserNamespace, unlessWindows } from "./pod-check.ts";
import type { CheckPod, PodCheck } from "./pod-check.ts";

const checkPrivileged: CheckPod = (pod) => {
  const names = badContainers(pod, ({ securityContext }) => securityContext?.privileged === true);
  return names.length === 0
    ? undefined
    : { reason: "privileged", detail: `${namedContainers(names)} must not set securityContext.privileged=true` };
};

const checkEscalation: CheckPod = (pod) => {
  const names = badContainers(pod, ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  return names.length === 0
    ? undefined
    : {
        reason: "allowPrivilegeEscalation != false",
        detail: `${namedContainers(names)} must set securityContext.allowPrivilegeEscalation=false`,
      };
};

/** What container runtimes add by default. */
const defaultCapabilities: ReadonlySet<string> = new Set([
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
]);

type Added = { readonly names: readonly string[]; readonly text: string };

/** Containers that add other than the allowed capabilities; undefined for none. */
function addedBeside(pod: Parameters<CheckPod>[0], isAllowed: (capability: string) => boolean): Added | undefined {
  const bad = containersOf(pod).map(({ name, securityContext }) => ({
    name,
    added: (securityContext?.capabilities?.add ?? []).filter((capability) => !isAllowed(capability)),
  }));
  const names = bad.flatMap(({ name, added }) => (added.length === 0 ? [] : [name]));
  if (names.length === 0) return undefined;
  const added = sorted(bad.flatMap(({ added: each }) => each));
  return { names, text: `${namedContainers(names)} must not include ${quoted(added)} in securityContext.capabilities.add` };
}

const checkDefaultCapabilities: CheckPod = (pod) => {
  const added = addedBeside(pod, (capability) => defaultCapabilities.has(capability));
  return added === undefined ? undefined : { reason: "non-default capabilities", detail: added.text };
};

const checkDroppedCapabilities: CheckPod = (pod) => {
  const keeping = badContainers(pod, ({ securityContext }) => securityContext?.capabilities?.drop?.includes("ALL") !== true);
  const details = [
    ...(keeping.length === 0 ? [] : [`${namedContainers(keeping)} must set securityContext.capabilities.drop=["ALL"]`]),
    ...[addedBeside(pod, (capability) => capability === "NET_BIND_SERVICE")].flatMap((added) => added?.text ?? []),
  ];
  return details.length === 0 ? undefined : { reason: "unrestricted capabilities", detail: details.join("; ") };
};

const checkProcMount: CheckPod = (pod) => {
  const isBad = (type: string | undefined): type is string => type !== undefined && type !== "Default";
  const names = badContainers(pod, ({ securityContext }) => isBad(securityContext?.procMount));
  if (names.length === 0) return undefined;
  const types = sorted(
    containersOf(pod)
      .flatMap(({ securityContext }) => securityContext?.procMount ?? [])
      .filter(isBad),
  );
  return { reason: "procMount", detail: `${namedContainers(names)} must not set securityContext.procMount to ${quoted(types)}` };
};

export const privileged: PodCheck = { id: "privileged", versions: [{ since: 0, check: checkPrivileged }] };

export const allowPrivilegeEscalation: PodCheck = {
  id: "allowPrivilegeEscalation",
  versions: [
    { since: 8, check: checkEscalation },
    { since: 25, check: unlessWindows(checkEscalation) },
  ],
};

export const capabilitiesBaseline: PodCheck = { id: "capabilities_baseline", versions: [{ since: 0, check: checkDefaultCapabilities }] };

export const capabilitiesRestricted: PodCheck = {
  id: "capabilities_restricted",
  versions: [
    { since: 22, check: checkDroppedCapabilities, overrides: capabilitiesBaseline.id },
    { since: 25, check: unlessWindows(checkDroppedCapabilities), overrides: capabilitiesBaseline.id },
  ],
};

export const procMount: PodCheck = {
  id: "procMount",
  versions: [
    { since: 0, check: checkProcMount },
    { since: 35, check: unlessUserNamespace(checkProcMount) },
  ],
};

export const procMountRestricted: PodCheck = {
  id: "procMount_restricted",
  versions: [{ since: 35, check: checkProcMount, overrides: procMount.id }],
};
