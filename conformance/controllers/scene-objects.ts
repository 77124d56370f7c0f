/** The objects of scenes, and the conditions that many of them wait for. */
import { Deployment, ReplicaSet } from "@drover/api/apps/v1";
import { Pod } from "@drover/api/core/v1";
import type { PodTemplateSpec, Service } from "@drover/api/core/v1";
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";
import { until } from "./scene.ts";
import type { Condition, SceneView } from "./scene.ts";

type Seen<T> = DeepReadonly<T>;
type PodSpec = NonNullable<Pod["spec"]>;

/** Pod behaviours, as pod-conduct.ts names them. */
export type Conduct = Readonly<
  Partial<Record<"start-after" | "ready-after" | "ready" | "exit-after" | "exit-code" | "stop-after", string>>
>;

export const conducted = (conduct: Conduct): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(conduct).map(([name, value]) => [`drover.dev/${name}`, value]));

export interface TemplateOptions {
  readonly image?: string;
  readonly conduct?: Conduct;
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: Partial<PodSpec>;
}

/** A pod template with one container; its default label is that of everything in a scene. */
export function template({ image = "web:1", conduct = {}, labels = { app: "web" }, spec = {} }: TemplateOptions = {}): PodTemplateSpec {
  const annotations = conducted(conduct);
  return {
    metadata: { labels: { ...labels }, ...(Object.keys(annotations).length === 0 ? {} : { annotations }) },
    spec: { containers: [{ name: "main", image }], ...spec },
  };
}

const selector = { matchLabels: { app: "web" } } as const;

export const deployment = (spec: Partial<NonNullable<Deployment["spec"]>> = {}, name = "web"): Deployment => ({
  metadata: { name },
  spec: { replicas: 3, selector, template: template(), ...spec },
});
export const replicaSet = (spec: Partial<NonNullable<ReplicaSet["spec"]>> = {}, name = "web"): ReplicaSet => ({
  metadata: { name },
  spec: { replicas: 3, selector, template: template(), ...spec },
});
/** Without a name the server generates one from `metadata.generateName`. */
export const pod = (name: string, options: TemplateOptions = {}, metadata: KubeObject["metadata"] = {}): Pod => {
  const { metadata: from = {}, spec } = template(options);
  return { metadata: { ...from, ...metadata, ...(name === "" ? {} : { name }) }, ...(spec === undefined ? {} : { spec }) };
};
export const service = (spec: Partial<NonNullable<Service["spec"]>> = {}, name = "web"): Service => ({
  metadata: { name },
  spec: { selector: { app: "web" }, ports: [{ port: 80 }], ...spec },
});

/** Every pod of a Deployment is of its newest template and available, and the status says so. */
export const rolledOut = (name = "web"): Condition => until(`${name} is rolled out`, (view) => isRolledOut(view.get(Deployment, name)));

function isRolledOut(found: Seen<Deployment> | undefined): boolean {
  const { spec, status, metadata } = found ?? { metadata: {} };
  const counts = [status?.replicas, status?.updatedReplicas, status?.readyReplicas, status?.availableReplicas];
  return (
    found !== undefined &&
    status?.observedGeneration === metadata.generation &&
    counts.every((count) => (count ?? 0) === (spec?.replicas ?? 1)) &&
    (status?.terminatingReplicas ?? 0) === 0
  );
}

export const setReady = (name = "web"): Condition =>
  until(`ReplicaSet ${name} has its pods`, (view) => isSetReady(view.get(ReplicaSet, name)));

function isSetReady(found: Seen<ReplicaSet> | undefined): boolean {
  return (
    found !== undefined &&
    (found.status?.readyReplicas ?? 0) === (found.spec?.replicas ?? 1) &&
    found.status?.replicas === found.spec?.replicas &&
    found.status?.observedGeneration === found.metadata.generation
  );
}

/** Number of objects that match. */
export const counts = <T extends KubeObject>(
  kind: Kind<T>,
  count: number,
  which: (object: Seen<T>) => boolean = () => true,
  what = "",
): Condition => until(`${count} ${kind.plural} ${what}`.trim(), (view) => view.list(kind).filter(which).length === count);

export const gone = <T extends KubeObject>(kind: Kind<T>): Condition => counts(kind, 0);
export const all = (...conditions: readonly Condition[]): Condition =>
  until(conditions.map(({ what }) => what).join(", and "), (view) => conditions.every(({ holds }) => holds(view)));
/** No condition: it is enough that nothing changes any more. */
export const rest: Condition = until("rest", () => true);

export const isReady = ({ status }: Seen<Pod>): boolean =>
  status?.conditions?.some((condition) => condition.type === "Ready" && condition.status === "True") === true;
export const podsReady = (count: number): Condition =>
  counts(Pod, count, (found) => isReady(found) && found.metadata.deletionTimestamp === undefined, "are ready");

/** The names of the first pods, sorted. */
export const somePods =
  (count: number, which: (object: Seen<Pod>) => boolean = () => true) =>
  (view: SceneView): readonly string[] =>
    view
      .list(Pod)
      .filter((found) => found.metadata.deletionTimestamp === undefined && which(found))
      .map(({ metadata }) => metadata.name ?? "")
      .toSorted()
      .slice(0, count);

export const image = (name: string): object => ({ spec: { template: { spec: { containers: [{ name: "main", image: name }] } } } });
