/**
 * Registers the group versions of custom resources: one APIService each, which comes and goes with its definitions.
 *
 *     write to a CustomResourceDefinition or an APIService → syncApiServices → the store
 */
import { assert, encodeJson, formatTime } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import { metaOf } from "../registry/meta-of.ts";
import { keyOf } from "../registry/object-store.ts";
import type { Backend } from "../request/request-context.ts";

const group = "apiregistration.k8s.io";
/** "true": the server removes the APIService when nothing serves its group version any more. */
const managedLabel = "kube-aggregator.kubernetes.io/automanaged";

/** Creates what is missing, and removes what this function created and is no longer needed. */
export async function syncApiServices({ objects, registry, runtime }: Backend): Promise<void> {
  const resource = registry.find({ group, version: "v1", resource: "apiservices" });
  assert(resource !== undefined, "apiservices are not served");
  const wanted = new Map<string, CustomVersion>();
  for (const { kind, isCustom } of registry.resources)
    if (isCustom) wanted.set(keyOf(resource, "", `${kind.version}.${kind.group}`), { group: kind.group, version: kind.version });
  const { items } = await objects.store.list(resource.storagePrefix);
  for (const stored of items) {
    if (wanted.delete(stored.key) || !stored.value.includes(`"${managedLabel}":"true"`)) continue;
    const { labels = {} } = metaOf(objects.views(resource).object(stored));
    if (labels[managedLabel] === "true") await objects.delete(stored.key, stored.modRevision);
  }
  for (const [key, version] of wanted) {
    const text = apiServiceText(version, { uid: runtime.uid(), now: formatTime(runtime.clock.now()) });
    // Another server on the same store may be faster, and creates the same.
    await objects.store.put(key, text, { expected: 0 });
  }
}

interface CustomVersion {
  readonly group: string;
  readonly version: string;
}

/** The object as the autoregistration of kube-apiserver creates it. */
function apiServiceText(spec: CustomVersion, { uid, now }: { readonly uid: string; readonly now: string }): string {
  const written = { manager: "kube-apiserver", operation: "Update", apiVersion: `${group}/v1`, time: now, fieldsType: "FieldsV1" };
  const object: JsonObject = {
    metadata: {
      name: `${spec.version}.${spec.group}`,
      uid,
      resourceVersion: "",
      creationTimestamp: now,
      labels: { [managedLabel]: "true" },
      managedFields: [
        {
          ...written,
          fieldsV1: {
            "f:metadata": { "f:labels": { ".": {}, [`f:${managedLabel}`]: {} } },
            "f:spec": { "f:group": {}, "f:groupPriorityMinimum": {}, "f:version": {}, "f:versionPriority": {} },
          },
        },
      ],
    },
    spec: { group: spec.group, version: spec.version, groupPriorityMinimum: 1000, versionPriority: 100 },
    status: {
      conditions: [
        { type: "Available", status: "True", lastTransitionTime: now, reason: "Local", message: "Local APIServices are always available" },
      ],
    },
  };
  return encodeJson(object, { escapeHtml: true });
}
