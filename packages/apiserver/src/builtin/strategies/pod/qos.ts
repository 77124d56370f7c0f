/** How a pod is treated when its node runs short: by what it asked for. */
import { Quantity } from "@drover/machinery";
import type { QuantityValue } from "@drover/machinery";
import type { PodSpec } from "@drover/api/core/v1";

/** The class of service. */
export type QosClass = "BestEffort" | "Burstable" | "Guaranteed";

const counted = ["cpu", "memory"] as const;

/** Guaranteed when everything is limited to just what is asked for, BestEffort when nothing is asked for, Burstable otherwise. */
export function podQosClass(spec: PodSpec): QosClass {
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
    // A pod without any limits of its own is not looked at here; requests and limits then differ in number.
    if (limited < counted.length && (spec.resources === undefined || Object.keys(resources.limits ?? {}).length > 0)) allLimited = false;
  }
  if (requests.size === 0 && limits.size === 0) return "BestEffort";
  const isMet = [...requests].every(([name, amount]) => limits.get(name)?.equals(amount) === true);
  return allLimited && isMet && requests.size === limits.size ? "Guaranteed" : "Burstable";
}

/** Adds what is above zero, and says how many resources that was. */
function add(sum: Map<string, Quantity>, amounts: Readonly<Record<string, QuantityValue>> | undefined): number {
  const found = counted.flatMap((name) => {
    const amount = amounts?.[name] === undefined ? Quantity.zero : Quantity.fromJson(amounts[name]);
    return amount.sign() > 0 ? [{ name, amount }] : [];
  });
  for (const { name, amount } of found) sum.set(name, sum.get(name)?.add(amount) ?? amount);
  return found.length;
}
