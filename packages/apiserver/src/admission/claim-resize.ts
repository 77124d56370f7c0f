/** PersistentVolumeClaimResize: a claim grows only when it is bound and its storage class allows it. */
import { PersistentVolumeClaim } from "@drover/api/core/v1";
import type { StorageClass } from "@drover/api/storage/v1";
import { compareQuantities, getOwn } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import type { ObjectStore } from "../registry/object-store.ts";
import type { Resource } from "../registry/resource.ts";
import { typedObject } from "../typed-object.ts";
import type { AdmissionPlugin, AdmissionRequest } from "./admission.ts";
import { refusal } from "./refusal.ts";

type Claim = DeepReadonly<PersistentVolumeClaim>;

/** `classes` is the resource of storage classes. */
export function persistentVolumeClaimResize(objects: ObjectStore, classes: Resource): AdmissionPlugin {
  const allowsGrowth = async (name: string): Promise<boolean> => {
    const { stored } = await objects.store.get(`${classes.storagePrefix}${name}`);
    if (stored === undefined) return false;
    return (objects.views(classes).shared(stored) as unknown as DeepReadonly<StorageClass>).allowVolumeExpansion === true;
  };
  const check = async (request: AdmissionRequest, claim: Claim, old: Claim): Promise<void> => {
    if (old.status?.phase !== "Bound") throw refusal(request, "Only bound persistent volume claims can be expanded");
    const name = classOf(claim);
    if (name === "" || name !== classOf(old) || !(await allowsGrowth(name)))
      throw refusal(
        request,
        "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
      );
  };
  return {
    name: "PersistentVolumeClaimResize",
    validate: (request) => {
      const { operation, resource, subresource, object, old } = request;
      if (resource.kind.plural !== "persistentvolumeclaims" || resource.kind.group !== "" || operation !== "UPDATE") return undefined;
      if (subresource !== "" || object === undefined || old === undefined) return undefined;
      const [claim, before] = [typedObject(PersistentVolumeClaim, object), typedObject(PersistentVolumeClaim, old)];
      return compareQuantities(sizeOf(claim), sizeOf(before)) <= 0 ? undefined : check(request, claim, before);
    },
  };
}

const sizeOf = ({ spec }: Claim): string | number => getOwn(spec?.resources?.requests ?? {}, "storage") ?? 0;

const classOf = ({ metadata, spec }: Claim): string =>
  getOwn(metadata.annotations ?? {}, "volume.beta.kubernetes.io/storage-class") ?? spec?.storageClassName ?? "";
