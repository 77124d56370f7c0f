/** How persistent volume claims count against quotas: their number and their storage, in all and by storage class. */
import { getOwn, Quantity } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import type { PersistentVolumeClaim } from "../core/v1.ts";
import { amountsOf } from "./amounts.ts";
import type { Amounts } from "./amounts.ts";
import { countName, matchesValues, oneOfEach } from "./evaluator.ts";
import type { QuotaEvaluator } from "./evaluator.ts";

const resource = { group: "", resource: "persistentvolumeclaims" } as const;
const claimCount = countName(resource);
const counted: readonly string[] = ["persistentvolumeclaims", "requests.storage"];
/** "gold.storageclass.storage.k8s.io/requests.storage" */
const classSuffix = ".storageclass.storage.k8s.io/";
const classAnnotation = "volume.beta.kubernetes.io/storage-class";

type Claim = DeepReadonly<PersistentVolumeClaim>;

export const claimEvaluator: QuotaEvaluator = {
  resource,
  handles: ({ subresource }) => subresource === "" || subresource === "status",
  matchingNames: (given) =>
    given.filter((name) => name === claimCount || counted.includes(name) || counted.some((one) => name.endsWith(`${classSuffix}${one}`))),
  matchesScope: (requirement, object) =>
    requirement.scopeName === "VolumeAttributesClass" && matchesValues(requirement, attributesClasses(object as Claim)),
  missing: () => undefined,
  usage: (object) => usage(object as Claim),
};

/** Returns the VolumeAttributesClasses that a claim has, had or is to get. */
export function attributesClasses({ spec, status }: Claim): readonly string[] {
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  return [...new Set(names)].flatMap((name) => (name === undefined || name === "" ? [] : [name]));
}

function usage(claim: Claim): Amounts {
  const storageClass = getOwn(claim.metadata.annotations ?? {}, classAnnotation) ?? claim.spec?.storageClassName ?? "";
  const names = ["persistentvolumeclaims", ...(storageClass === "" ? [] : [`${storageClass}${classSuffix}persistentvolumeclaims`])];
  const result = oneOfEach([claimCount, ...names]);
  const storage = storageOf(claim);
  if (storage === undefined) return result;
  result.set("requests.storage", storage);
  if (storageClass !== "") result.set(`${storageClass}${classSuffix}requests.storage`, storage);
  return result;
}

/** In whole bytes. A claim that was reduced counts with what is allocated until that is given back. */
function storageOf({ spec, status }: Claim): Quantity | undefined {
  const wanted = amountsOf(spec?.resources?.requests).get("storage");
  if (wanted === undefined) return undefined;
  const allocated = amountsOf(status?.allocatedResources).get("storage");
  return wholeBytes(allocated !== undefined && allocated.compare(wholeBytes(wanted)) > 0 ? allocated : wanted);
}

function wholeBytes(amount: Quantity): Quantity {
  const rounded = Quantity.of(amount.value(), { format: amount.format });
  return rounded.equals(amount) ? amount : rounded;
}
