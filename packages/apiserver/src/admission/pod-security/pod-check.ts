/** One check of the Pod Security Standards. */
import type { Container, PodSpec } from "@drover/api/core/v1";
import { compareBytes } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";

/** A pod, or the template of one. */
export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: DeepReadonly<PodSpec>;
}

/** `reason (detail)` in the response. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

export type CheckPod = (pod: CheckedPod) => Violation | undefined;

/** A check from a version of Kubernetes on, until the next one of the same id. */
export interface VersionedCheck {
  /** Minor version: 25 is v1.25. */
  readonly since: number;
  readonly check: CheckPod;
  /** The check of level "baseline" that this one of level "restricted" replaces. @default none */
  readonly overrides?: string;
}

export interface PodCheck {
  readonly id: string;
  /** In ascending order. */
  readonly versions: readonly VersionedCheck[];
}

type CheckedContainer = DeepReadonly<Container>;

/** Returns init containers, containers, then ephemeral containers. */
export const containersOf = ({ spec }: CheckedPod): readonly CheckedContainer[] => [
  ...(spec.initContainers ?? []),
  ...(spec.containers ?? []),
  ...(spec.ephemeralContainers ?? []),
];

/** Returns the names of the containers for which `isBad` holds. */
export const badContainers = (pod: CheckedPod, isBad: (container: CheckedContainer) => boolean): string[] =>
  containersOf(pod).flatMap((container) => (isBad(container) ? [container.name] : []));

/** `"a", "b"`. */
export const quoted = (texts: readonly string[]): string => (texts.length === 0 ? "" : `"${texts.join('", "')}"`);

/** Each text once, in order of bytes. */
export const sorted = (texts: Iterable<string>): string[] => [...new Set(texts)].toSorted(compareBytes);

export const plural = (one: string, many: string, count: number): string => (count === 1 ? one : many);

/** `container "a"`, `containers "a", "b"`. */
export const namedContainers = (names: readonly string[]): string => `${plural("container", "containers", names.length)} ${quoted(names)}`;

/** Returns `pod and container "a"`, the parts of the pod that set a forbidden value; "" for none. */
export const settersText = (isPodBad: boolean, containers: readonly string[]): string =>
  [...(isPodBad ? ["pod"] : []), ...(containers.length === 0 ? [] : [namedContainers(containers)])].join(" and ");

/** The check for pods that do not say they run on Windows. */
export const unlessWindows =
  (check: CheckPod): CheckPod =>
  (pod) =>
    pod.spec.os?.name === "windows" ? undefined : check(pod);

/** The check for pods that share the user namespace of their node. */
export const unlessUserNamespace =
  (check: CheckPod): CheckPod =>
  (pod) =>
    pod.spec.hostUsers === false ? undefined : check(pod);
