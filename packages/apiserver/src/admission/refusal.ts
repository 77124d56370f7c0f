/** The 403 of an admission plug-in. */
import { newForbidden } from "@drover/machinery";
import { metaOf } from "../registry/meta-of.ts";
import { StatusError } from "../status-error.ts";
import type { AdmissionRequest } from "./admission.ts";

/** Returns the error `pods "web" is forbidden: …`. An object without a name yet is called by its `generateName`. */
export function refusal(request: Pick<AdmissionRequest, "resource" | "name" | "object">, why: string): StatusError {
  const { group, plural } = request.resource.kind;
  return new StatusError(newForbidden({ group, resource: plural }, refusedName(request), why));
}

function refusedName({ name, object }: Pick<AdmissionRequest, "name" | "object">): string {
  if (name !== "") return name;
  const { name: own = "", generateName = "" } = object === undefined ? {} : metaOf(object);
  return own || generateName || "Unknown";
}
