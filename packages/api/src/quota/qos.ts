/** The quality-of-service class of a pod, from its requests and limits. */
import { Quantity } from "@drover/machinery";
import type { DeepReadonly, QuantityValue } from "@drover/machinery";
import type { PodSpec } from "../core/v1.ts";

/** The class of service. */
export type QosClass = "BestEffort" | "Burstable" | "Guaranteed";

const counted = ["cpu", "memory"] as const;

/** Guaranteed if limits equal requests for all containers, BestEffort if there are none, otherwise Burstable. */
export function podQosClass(spec: DeepReadonly<PodSpec>): QosClass {
  const asking =
    spec.resources === undefined
      ? [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ resources }) => resources ?? {})
      : [spec.resources];
  const requests = new Map<string, Quantity>();
  const limits = new Map<string, Quantity>();
  let allLimited = true;
  for (const resources of asking) {
    add(requests, resources.requests);
    const limited = add(limits, resources.limits);
    // Skipped for a pod without pod-level limits; the number of requests and limits differs then.
    if (limited < counted.length && (spec.resources === undefined || Object.keys(resources.limits ?? {}).length > 0)) allLimited = false;
  }
  if (requests.size === 0 && limits.size === 0) return "BestEffort";
  const isMet = [...requests].every(([name, amount]) => limits.get(name)?.equals(amount) === true);
  return allLimited && isMet && requests.size === limits.size ? "Guaranteed" : "Burstable";
}

/** Adds positive amounts and returns their number. */
function add(sum: Map<string, Quantity>, amounts: Readonly<Record<string, QuantityValue>> | undefined): number {
  const found = counted.flatMap((name) => {
    const amount = amounts?.[name] === undefined ? Quantity.zero : Quantity.fromJson(amounts[name]);
    return amount.sign() > 0 ? [{ name, amount }] : [];
  });
  for (const { name, amount } of found) sum.set(name, sum.get(name)?.add(amount) ?? amount);
  return found.length;
}
