/** Defaults of probes and their handlers. */
import type { HTTPGetAction, Lifecycle, Probe } from "@drover/api/core/v1";

export function setProbeDefaults(probe: Probe | undefined): void {
  if (probe === undefined) return;
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  setHttpGetDefaults(probe.httpGet);
  if (probe.grpc !== undefined) probe.grpc.service ??= "";
}

/** Sets the defaults of lifecycle hooks. */
export function setLifecycleDefaults(lifecycle: Lifecycle | undefined): void {
  setHttpGetDefaults(lifecycle?.postStart?.httpGet);
  setHttpGetDefaults(lifecycle?.preStop?.httpGet);
}

function setHttpGetDefaults(action: HTTPGetAction | undefined): void {
  if (action === undefined) return;
  action.path ||= "/";
  action.scheme ||= "HTTP";
}
