/** Errors of policies, and the status of a request that policies refuse. */
import { newForbidden } from "@drover/machinery";
import type { Status } from "@drover/machinery";
import { metaOf } from "../../registry/meta-of.ts";
import type { AdmissionRequest } from "../admission.ts";

/** A policy or binding that cannot be used; its failure policy decides what that means. */
export class PolicyConfigurationError extends Error {
  override readonly name: string = "PolicyConfigurationError";
}

/** Returns the 403 of kube-apiserver for a write. An object without a name is shown by its `generateName`. */
export function forbiddenWrite({ resource: { kind }, name, object }: AdmissionRequest, why: string): Status {
  const shown = name === "" && object !== undefined ? metaOf(object).name || metaOf(object).generateName || "Unknown" : name;
  return newForbidden({ group: kind.group, resource: kind.plural }, shown === "" ? "Unknown" : shown, why);
}
