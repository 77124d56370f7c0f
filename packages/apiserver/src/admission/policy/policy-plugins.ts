/** The two admission plug-ins of policies, on the policies of the store. */
import type { Runtime } from "@drover/machinery";
import type { Authorizer } from "../../access/authorizer.ts";
import type { ObjectStore } from "../../registry/object-store.ts";
import type { Registry } from "../../registry/registry.ts";
import type { Resource } from "../../registry/resource.ts";
import type { AdmissionPlugin } from "../admission.ts";
import { mutatingAdmissionPolicy } from "./mutating-admission-policy.ts";
import { compileMutatingBinding, compileMutatingPolicy } from "./mutating-policy.ts";
import { PolicyDispatch } from "./policy-dispatch.ts";
import { PolicyMetrics } from "./policy-metrics.ts";
import { PolicySource } from "./policy-source.ts";
import { validatingAdmissionPolicy } from "./validating-admission-policy.ts";
import { compileValidatingBinding, compileValidatingPolicy } from "./validating-policy.ts";

export interface PolicyPluginServices {
  readonly objects: ObjectStore;
  readonly registry: Registry;
  readonly authorizer: Authorizer;
  readonly runtime: Pick<Runtime, "clock" | "metrics">;
}

/** Returns the plug-ins. `resource` finds a built-in resource by group and plural. */
export function policyPlugins(
  { objects, registry, authorizer, runtime }: PolicyPluginServices,
  resource: (group: string, plural: string) => Resource,
): readonly AdmissionPlugin[] {
  const own = (plural: string): Resource => resource("admissionregistration.k8s.io", plural);
  const dispatch = new PolicyDispatch(objects, registry, resource("", "namespaces"));
  const observed = { clock: runtime.clock, metrics: new PolicyMetrics(runtime.metrics) };
  return [
    mutatingAdmissionPolicy({
      ...observed,
      dispatch,
      authorizer,
      source: new PolicySource(objects, {
        policies: own("mutatingadmissionpolicies"),
        bindings: own("mutatingadmissionpolicybindings"),
        compilePolicy: compileMutatingPolicy,
        compileBinding: compileMutatingBinding,
      }),
    }),
    validatingAdmissionPolicy({
      ...observed,
      objects,
      registry,
      dispatch,
      authorizer,
      source: new PolicySource(objects, {
        policies: own("validatingadmissionpolicies"),
        bindings: own("validatingadmissionpolicybindings"),
        compilePolicy: compileValidatingPolicy,
        compileBinding: compileValidatingBinding,
      }),
    }),
  ];
}
