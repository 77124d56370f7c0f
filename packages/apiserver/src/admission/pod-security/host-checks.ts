/** Checks of what pods share with their node: namespaces, ports, volumes, processes. */
import type { LifecycleHandler, Probe } from "@drover/api/core/v1";
import type { DeepReadonly } from "@drover/machinery";
import { badContainers, containersOf, namedContainers, plural, quoted, settersText, sorted } from "./pod-check.ts";
import type { CheckPod, PodCheck } from "./pod-check.ts";

const checkNamespaces: CheckPod = ({ spec }) => {
  const shared = (["hostNetwork", "hostPID", "hostIPC"] as const).filter((field) => spec[field] === true);
  return shared.length === 0 ? undefined : { reason: "host namespaces", detail: shared.map((field) => `${field}=true`).join(", ") };
};

const checkHostPaths: CheckPod = ({ spec }) => {
  const names = (spec.volumes ?? []).flatMap(({ name, hostPath }) => (hostPath === undefined ? [] : [name]));
  return names.length === 0
    ? undefined
    : { reason: "hostPath volumes", detail: `${plural("volume", "volumes", names.length)} ${quoted(names)}` };
};

const checkPorts: CheckPod = (pod) => {
  const ports = sorted(
    containersOf(pod).flatMap(({ ports: all = [] }) => all.flatMap(({ hostPort = 0 }) => (hostPort === 0 ? [] : [String(hostPort)]))),
  );
  const names = badContainers(pod, ({ ports: all = [] }) => all.some(({ hostPort = 0 }) => hostPort !== 0));
  if (names.length === 0) return undefined;
  const detail = `${namedContainers(names)} ${plural("uses", "use", names.length)} ${plural("hostPort", "hostPorts", ports.length)} ${ports.join(", ")}`;
  return { reason: "hostPort", detail };
};

const hostsOf = (handler: DeepReadonly<Probe | LifecycleHandler> | undefined): string[] =>
  [handler?.httpGet?.host ?? "", handler?.tcpSocket?.host ?? ""].filter((host) => host !== "");

const checkProbes: CheckPod = (pod) => {
  const found = containersOf(pod).map(({ name, livenessProbe, readinessProbe, startupProbe, lifecycle }) => ({
    name,
    hosts: [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop].flatMap(hostsOf),
  }));
  const names = sorted(found.flatMap(({ name, hosts }) => (hosts.length === 0 ? [] : [name])));
  const hosts = sorted(found.flatMap(({ hosts: all }) => all));
  if (names.length === 0) return undefined;
  const noun = plural("probe or lifecycle host", "probe or lifecycle hosts", hosts.length);
  return {
    reason: "probe or lifecycle host",
    detail: `${namedContainers(names)} ${plural("uses", "use", names.length)} ${noun} ${quoted(hosts)}`,
  };
};

const checkHostProcess: CheckPod = (pod) => {
  const names = badContainers(pod, ({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true);
  const setters = settersText(pod.spec.securityContext?.windowsOptions?.hostProcess === true, names);
  return setters === ""
    ? undefined
    : { reason: "hostProcess", detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true` };
};

export const hostNamespaces: PodCheck = { id: "hostNamespaces", versions: [{ since: 0, check: checkNamespaces }] };
export const hostPathVolumes: PodCheck = { id: "hostPathVolumes", versions: [{ since: 0, check: checkHostPaths }] };
export const hostPorts: PodCheck = { id: "hostPorts", versions: [{ since: 0, check: checkPorts }] };
export const hostProbesAndHostLifecycle: PodCheck = { id: "hostProbesAndHostLifecycle", versions: [{ since: 34, check: checkProbes }] };
export const windowsHostProcess: PodCheck = { id: "windowsHostProcess", versions: [{ since: 0, check: checkHostProcess }] };
