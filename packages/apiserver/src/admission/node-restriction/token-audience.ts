/** Audiences for which a node may request tokens: those that its pods name, directly or through their storage drivers. */
import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume } from "@drover/api/core/v1";
import type { CSIDriver } from "@drover/api/storage/v1";
import type { DeepReadonly } from "@drover/machinery";
import { quoteGo } from "@drover/machinery";

/** Reads objects of the store; undefined for a missing one. */
export interface AudienceReader {
  readonly claim: (namespace: string, name: string) => Promise<DeepReadonly<PersistentVolumeClaim> | undefined>;
  readonly volume: (name: string) => Promise<DeepReadonly<PersistentVolume> | undefined>;
  readonly driver: (name: string) => Promise<DeepReadonly<CSIDriver> | undefined>;
}

/** Storage drivers that replace the sources of volumes that Kubernetes had built in. */
const migrated = {
  awsElasticBlockStore: "ebs.csi.aws.com",
  azureDisk: "disk.csi.azure.com",
  azureFile: "file.csi.azure.com",
  cinder: "cinder.csi.openstack.org",
  gcePersistentDisk: "pd.csi.storage.gke.io",
  portworxVolume: "pxd.portworx.com",
  vsphereVolume: "csi.vsphere.vmware.com",
} as const satisfies Partial<Record<keyof Volume, string>>;
const migratedSources = Object.keys(migrated) as (keyof typeof migrated)[];

/** Whether a volume of the pod needs tokens for this audience. Throws an Error for an object that a volume names and that is missing. */
export async function namesAudience(pod: DeepReadonly<Pod>, audience: string, reader: AudienceReader): Promise<boolean> {
  const problems: string[] = [];
  for (const volume of pod.spec?.volumes ?? []) {
    if (
      (volume.projected?.sources ?? []).some(({ serviceAccountToken: token }) => token !== undefined && (token.audience ?? "") === audience)
    )
      return true;
    const found = await driverOf(pod, volume, reader);
    if ("problem" in found) problems.push(found.problem);
    if (!("driver" in found) || found.driver === "") continue;
    const driver = await reader.driver(found.driver);
    if (driver === undefined) problems.push(missing("csidriver.storage.k8s.io", found.driver));
    else if ((driver.spec.tokenRequests ?? []).some((request) => request.audience === audience)) return true;
  }
  const texts = [...new Set(problems)];
  if (texts.length > 0) throw new Error(texts.length === 1 ? texts.join("") : `[${texts.join(", ")}]`);
  return false;
}

type Found = { readonly driver: string } | { readonly problem: string };

const missing = (what: string, name: string): string => `${what} ${quoteGo(name)} not found`;

async function driverOf(pod: DeepReadonly<Pod>, volume: DeepReadonly<Volume>, reader: AudienceReader): Promise<Found> {
  const { name = "", namespace = "" } = pod.metadata;
  if (volume.ephemeral?.volumeClaimTemplate !== undefined) return ofClaim(namespace, `${name}-${volume.name}`, reader);
  if (volume.persistentVolumeClaim !== undefined) return ofClaim(namespace, volume.persistentVolumeClaim.claimName, reader);
  if (volume.csi !== undefined) return { driver: volume.csi.driver };
  const source = migratedSources.find((each) => volume[each] !== undefined);
  return { driver: source === undefined ? "" : migrated[source] };
}

async function ofClaim(namespace: string, name: string, reader: AudienceReader): Promise<Found> {
  const claim = await reader.claim(namespace, name);
  if (claim === undefined) return { problem: missing("persistentvolumeclaim", name) };
  const volumeName = claim.spec?.volumeName ?? "";
  const volume = await reader.volume(volumeName);
  if (volume === undefined) return { problem: missing("persistentvolume", volumeName) };
  const { spec } = volume;
  if (spec?.csi !== undefined) return { driver: spec.csi.driver };
  const source = migratedSources.find((each) => spec?.[each] !== undefined);
  return { driver: source === undefined ? "" : migrated[source] };
}
