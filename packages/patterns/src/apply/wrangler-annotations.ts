/** Labels and annotations with which Wrangler's apply marks its members, so that they can be taken over. */
import { getOwn, parseGroupVersion } from "@drover/machinery";
import type { DeepReadonly, KubeObject } from "@drover/machinery";
import type { SetOwner } from "./apply-set.ts";
import { placeWords } from "./set-identity.ts";

/** Label that selects Wrangler's members. */
export const wranglerHashLabel = "objectset.rio.cattle.io/hash";
/** Label; the value "false" protects a member from pruning. */
export const wranglerPruneLabel = "objectset.rio.cattle.io/prune";
/** Annotation with the object that Wrangler applied last. */
export const wranglerAppliedAnnotation = "objectset.rio.cattle.io/applied";

const prefix = "objectset.rio.cattle.io/";

/** The owner of an object according to Wrangler's annotations. */
export interface WranglerOwner {
  readonly setId: string;
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Returns undefined if Wrangler did not create the object. */
export function wranglerOwnerOf({ metadata: { labels = {}, annotations = {} } }: DeepReadonly<KubeObject>): WranglerOwner | undefined {
  const read = (name: string): string => getOwn(annotations, `${prefix}${name}`) ?? "";
  if (getOwn(labels, wranglerHashLabel) === undefined && read("id") === "" && read("owner-name") === "") return undefined;
  // "apps/v1, Kind=Deployment"
  const [groupVersion = "", kind = ""] = read("owner-gvk").split(", Kind=");
  return { setId: read("id"), group: groupOf(groupVersion), kind, namespace: read("owner-namespace"), name: read("owner-name") };
}

/** Reports whether the annotations name this owner, in any version, and one of these sets. */
export function isWranglerSet(found: WranglerOwner, { kind, object: { metadata } }: SetOwner, names: readonly string[]): boolean {
  return (
    names.includes(found.setId) &&
    found.kind === kind.kind &&
    found.group === kind.group &&
    found.name === (metadata.name ?? "") &&
    found.namespace === (metadata.namespace ?? "")
  );
}

/** "HelmChart.helm.cattle.io kube-system/traefik (Wrangler's set helm)". */
export const wranglerWords = ({ setId, group, kind, namespace, name }: WranglerOwner): string =>
  `${kind === "" ? "an unknown owner" : `${kind}${group === "" ? "" : `.${group}`} ${placeWords(namespace, name)}`} (Wrangler's set ${setId === "" ? "without an id" : setId})`;

function groupOf(groupVersion: string): string {
  try {
    // Go prints a core kind as "/v1, Kind=Secret".
    return parseGroupVersion(groupVersion.replace(/^\//, "")).group;
  } catch {
    return groupVersion;
  }
}
