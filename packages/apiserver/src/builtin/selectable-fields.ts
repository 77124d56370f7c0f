/** Selectable fields of the built-in kinds, besides name and namespace. */
import { getOwn, isJsonObject } from "@drover/machinery";
import type { GroupVersionKind, JsonObject, JsonValue } from "@drover/machinery";
import type { SelectableFields } from "../registry/resource.ts";

/** Empty for kinds that are not in the table. */
export const selectableFieldsOf = ({ group, version, kind }: GroupVersionKind): SelectableFields =>
  table.get(`${group}/${version}/${kind}`) ?? none;

type Read = (object: JsonObject) => string;

const none: SelectableFields = new Map();

/** Returns the text at a path; "" if absent. Numbers and booleans are printed. */
function textAt(object: JsonObject, path: string): string {
  let value: JsonValue | undefined = object;
  for (const name of path.split(".")) value = isJsonObject(value) ? getOwn(value, name) : undefined;
  return value === null || value === undefined || typeof value === "object" ? "" : String(value);
}

/** Selects by the field of the same name. */
const plain = (...paths: readonly string[]): [string, Read][] => paths.map((path) => [path, (object) => textAt(object, path)]);

/** Selects by a field that is omitted when zero. */
const orZero = (path: string, zero: string, name = path): [string, Read] => [name, (object) => textAt(object, path) || zero];

const podFields: SelectableFields = new Map<string, Read>([
  ...plain(
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "status.phase",
    "status.nominatedNodeName",
    "status.podIP",
  ),
  orZero("spec.hostNetwork", "false"),
  // Accepted, but matches no pod.
  ["status.podIPs", () => ""],
  // A former name of the field.
  ["spec.host", (pod) => textAt(pod, "spec.nodeName")],
]);

const aboutObject: readonly string[] = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];

const coreEventFields: SelectableFields = new Map<string, Read>([
  ...plain(...aboutObject.map((name) => `involvedObject.${name}`), "reason", "reportingComponent", "type"),
  ["source", (event) => textAt(event, "source.component") || textAt(event, "reportingComponent")],
]);

const table: ReadonlyMap<string, SelectableFields> = new Map([
  ["/v1/Pod", podFields],
  ["/v1/Node", new Map([orZero("spec.unschedulable", "false")])],
  ["/v1/ReplicationController", new Map([orZero("status.replicas", "0")])],
  ["/v1/Namespace", new Map(plain("status.phase"))],
  ["/v1/Secret", new Map(plain("type"))],
  ["/v1/Service", new Map(plain("spec.clusterIP", "spec.type"))],
  ["/v1/Event", coreEventFields],
  ["events.k8s.io/v1/Event", new Map(plain(...aboutObject.map((name) => `regarding.${name}`), "reason", "reportingController", "type"))],
  ["batch/v1/Job", new Map([orZero("status.succeeded", "0", "status.successful")])],
  ["certificates.k8s.io/v1/CertificateSigningRequest", new Map(plain("spec.signerName"))],
  ["resource.k8s.io/v1/ResourceSlice", new Map(plain("spec.nodeName", "spec.driver"))],
]);
