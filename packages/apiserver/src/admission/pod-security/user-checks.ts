/** Checks of the user that containers run as. */
import { badContainers, namedContainers, settersText, unlessUserNamespace } from "./pod-check.ts";
import type { CheckPod, PodCheck } from "./pod-check.ts";

const checkNonRoot: CheckPod = (pod) => {
  const ofPod = pod.spec.securityContext?.runAsNonRoot;
  const reason = "runAsNonRoot != true";
  const setters = settersText(
    ofPod === false,
    badContainers(pod, ({ securityContext }) => securityContext?.runAsNonRoot === false),
  );
  if (setters !== "") return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
  const unset = ofPod === true ? [] : badContainers(pod, ({ securityContext }) => securityContext?.runAsNonRoot === undefined);
  return unset.length === 0 ? undefined : { reason, detail: `pod or ${namedContainers(unset)} must set securityContext.runAsNonRoot=true` };
};

const checkUser: CheckPod = (pod) => {
  const setters = settersText(
    pod.spec.securityContext?.runAsUser === 0,
    badContainers(pod, ({ securityContext }) => securityContext?.runAsUser === 0),
  );
  return setters === "" ? undefined : { reason: "runAsUser=0", detail: `${setters} must not set runAsUser=0` };
};

export const runAsNonRoot: PodCheck = {
  id: "runAsNonRoot",
  versions: [
    { since: 0, check: checkNonRoot },
    { since: 35, check: unlessUserNamespace(checkNonRoot) },
  ],
};

export const runAsUser: PodCheck = {
  id: "runAsUser",
  versions: [
    { since: 23, check: checkUser },
    { since: 35, check: unlessUserNamespace(checkUser) },
  ],
};
