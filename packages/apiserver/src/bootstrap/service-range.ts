/** The ServiceCIDR "kubernetes" of a new cluster is ready: addresses of Services come from it. */
import { ServiceCIDR } from "@drover/api/networking/v1";
import { applyPatch, assert, formatTime, jsonEqual } from "@drover/machinery";
import { metaOf } from "../registry/meta-of.ts";
import { keyOf } from "../registry/object-store.ts";
import type { Backend } from "../request/request-context.ts";
import { typedObject } from "../typed-object.ts";

const name = "kubernetes";

/** Sets the condition Ready if there is none. kube-controller-manager does so for all other ServiceCIDRs. */
export async function admitServiceRange({ objects, registry, runtime, scopes }: Backend, serviceCidr: string): Promise<void> {
  const resource = registry.find({ group: "networking.k8s.io", version: "v1", resource: "servicecidrs" });
  assert(resource !== undefined, "servicecidrs are not served");
  const key = keyOf(resource, "", name);
  const live = await objects.get(resource, key);
  if (live === undefined) return;
  const { spec, status } = typedObject(ServiceCIDR, live.object);
  if (!jsonEqual([...(spec?.cidrs ?? [])], [serviceCidr]))
    runtime.log.warn("the ServiceCIDR kubernetes has other ranges than this server; addresses come from the object", {
      object: spec?.cidrs,
      server: serviceCidr,
    });
  if ((status?.conditions ?? []).some(({ type }) => type === "Ready")) return;
  const now = runtime.clock.now();
  const applied = applyPatch({
    scope: scopes.of(resource, "status"),
    live: live.object,
    config: {
      apiVersion: "networking.k8s.io/v1",
      kind: "ServiceCIDR",
      metadata: { name },
      status: {
        conditions: [
          { type: "Ready", status: "True", lastTransitionTime: formatTime(now), message: "Kubernetes default Service CIDR is ready" },
        ],
      },
    },
    manager: "kubernetes-service-cidr-controller",
    force: true,
    now,
  });
  assert(applied.kind !== "refused", "the status of the ServiceCIDR kubernetes is refused");
  const { object } = resource.codec.decodeValue(applied.object, { keepsNulls: true });
  const { managedFields } = metaOf(applied.object);
  if (managedFields !== undefined) metaOf(object).managedFields = managedFields;
  // Another server on the same store may be faster, and writes the same.
  await objects.put(resource, key, object, { expected: live.stored.modRevision });
}
