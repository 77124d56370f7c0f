/** Binding of pods to nodes. */
import { fieldNotSupported, fieldRequired, newConflict, newFailure, printFieldErrors, quoteGo, setOwn } from "@drover/machinery";
import type { FieldError } from "@drover/machinery";
import type { Binding, Pod } from "@drover/api/core/v1";
import { StatusError } from "../../../status-error.ts";
import { setPodCondition } from "./pod-condition.ts";
import { podSpecOf } from "./pod-spec.ts";

/** Throws for an invalid binding; kube-apiserver answers with a 500 without a reason. */
export function refuseBinding(binding: Binding): void {
  const errors = validateBinding(binding);
  if (errors.length > 0) throw new StatusError(newFailure(500, "", printFieldErrors(errors)));
}

/**
 * Binds the pod in place: node, annotations and labels of the binding, and the PodScheduled condition. Throws a 409 for a pod
 * that is terminating, already bound, or gated. `now` is in milliseconds since 1970.
 */
export function bindPod(pod: Pod, { target, metadata }: Binding, now: number): void {
  const { name = "", deletionTimestamp } = pod.metadata;
  const spec = podSpecOf(pod);
  const refuse = (why: string): StatusError => new StatusError(newConflict({ group: "", resource: "pods/binding" }, name, why));
  if (deletionTimestamp !== undefined) throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  if ((spec.nodeName ?? "") !== "") throw refuse(`pod ${name} is already assigned to node ${quoteGo(spec.nodeName ?? "")}`);
  if ((spec.schedulingGates ?? []).length > 0) throw refuse(`pod ${name} has non-empty .spec.schedulingGates`);
  pod.spec = { ...spec, nodeName: target.name ?? "" };
  for (const field of ["annotations", "labels"] as const) {
    const merged = { ...pod.metadata[field] };
    for (const [key, value] of Object.entries(metadata[field] ?? {})) setOwn(merged, key, value);
    if (Object.keys(merged).length > 0) pod.metadata[field] = merged;
  }
  const status = (pod.status ??= {});
  delete status.nominatedNodeName;
  setPodCondition(status, { type: "PodScheduled", status: "True" }, now);
}

function validateBinding({ target }: Binding): FieldError[] {
  const { kind = "", name = "" } = target;
  return [
    ...(kind !== "" && kind !== "Node" ? [fieldNotSupported("target.kind", kind, ["Node", "<empty>"])] : []),
    ...(name === "" ? [fieldRequired("target.name")] : []),
  ];
}
