/** Which taints a pod tolerates. */
import type { Taint, Toleration } from "@drover/api/core/v1";
import type { DeepReadonly } from "@drover/machinery";

type Tolerations = DeepReadonly<readonly Toleration[]> | undefined;

/** The taint of a cordoned node. */
export const unschedulableTaint: Readonly<Taint> = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };

/** Whether one of the tolerations matches the taint. */
export function tolerates(tolerations: Tolerations, taint: DeepReadonly<Taint>): boolean {
  return (tolerations ?? []).some((toleration) => toleratesTaint(toleration, taint));
}

/** Whether this toleration matches the taint. */
export function toleratesTaint(
  { key = "", operator = "Equal", value = "", effect }: DeepReadonly<Toleration>,
  taint: DeepReadonly<Taint>,
): boolean {
  if (effect !== undefined && effect !== taint.effect) return false;
  if (key !== "" && key !== taint.key) return false;
  if (operator === "Exists") return true;
  if (key === "") return false;
  if (operator === "Equal") return value === (taint.value ?? "");
  const [wanted, found] = [Number(value), Number(taint.value ?? "")];
  return operator === "Gt" ? found > wanted : found < wanted;
}
