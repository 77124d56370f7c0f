/** Admission of a POST that stores nothing under its own name: token requests, evictions, bindings and reviews. */
import type { JsonObject } from "@drover/machinery";
import type { Codec } from "../codec/codec.ts";
import type { Backend, RequestContext } from "../request/request-context.ts";
import { WriteAdmission } from "./write-admission.ts";

export interface Creation {
  /** The body, such as an Eviction. Plug-ins may change it in place. */
  readonly object: JsonObject;
  /** The object the request is about; "" for a review. */
  readonly name: string;
  readonly dryRun: boolean;
  /** Of the body. @default that of the resource */
  readonly codec?: Codec;
}

/**
 * Runs the mutating plug-ins and returns the call of the validating ones, for when the body is settled. They see the creation of a
 * subresource and its body, as in kube-apiserver; none of the writes that follow from it.
 */
export async function admitCreation(backend: Backend, context: RequestContext, creation: Creation): Promise<() => Promise<void>> {
  const { subresource } = context.info;
  const request = new WriteAdmission(context, { ...creation, operation: "CREATE", subresource, old: undefined });
  await backend.admission.mutate(request);
  return async () => {
    await backend.admission.validate(request);
  };
}
