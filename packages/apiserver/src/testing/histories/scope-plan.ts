/** The scope of a list or watch, as data, as a query, and as a predicate independent of the server's code. */
import { pick } from "@drover/machinery";
import type { Random } from "@drover/machinery";
import { historyKinds, mapOf } from "./history-kind.ts";
import type { Collection } from "./history-kind.ts";
import type { Scope } from "./history.ts";

export interface ScopePlan {
  readonly collection: Collection;
  /** "" spans all namespaces. */
  readonly namespace: string;
  readonly labels?: "app=web" | "app!=web" | "app in (web,db)" | "!app";
  readonly name?: string;
  readonly color?: string;
}

const labelTests: Readonly<Record<NonNullable<ScopePlan["labels"]>, (app: unknown) => boolean>> = {
  "app=web": (app) => app === "web",
  "app!=web": (app) => app !== "web",
  "app in (web,db)": (app) => app === "web" || app === "db",
  "!app": (app) => app === undefined,
};

export function scopeOf({ collection, namespace, labels, name, color }: ScopePlan): Scope {
  const start = `${collection}/${namespace === "" ? "" : `${namespace}/`}`;
  const { dataField } = historyKinds[collection];
  const conditions = [labels, name === undefined ? undefined : `named ${name}`, color === undefined ? undefined : `color=${color}`].flatMap(
    (text) => text ?? [],
  );
  return {
    text: [`${collection} in ${namespace === "" ? "all namespaces" : namespace}`, ...conditions].join(", "),
    matches: (id, content) =>
      id.startsWith(start) &&
      (name === undefined || id.endsWith(`/${name}`)) &&
      (labels === undefined || labelTests[labels](mapOf(mapOf(content["metadata"])["labels"])["app"])) &&
      (color === undefined || mapOf(content[dataField])["color"] === color),
  };
}

/** Returns the selectors of a request. */
export function scopeQuery({ labels, name, color }: ScopePlan): readonly string[] {
  const fields = [name === undefined ? [] : `metadata.name=${name}`, color === undefined ? [] : `spec.color=${color}`].flat();
  return [
    labels === undefined ? [] : `labelSelector=${encodeURIComponent(labels)}`,
    fields.length === 0 ? [] : `fieldSelector=${encodeURIComponent(fields.join(","))}`,
  ].flat();
}

export interface ScopeChoices {
  readonly collections: readonly Collection[];
  readonly namespaces: readonly string[];
  readonly names: readonly string[];
}

export const colors: readonly string[] = ["red", "green"];

export function chooseScope(random: Random, { collections, namespaces, names }: ScopeChoices): ScopePlan {
  const collection = pick(random, collections);
  const namespace = pick(random, ["", ...namespaces]);
  switch (random.int(6)) {
    case 0:
      return { collection, namespace, name: pick(random, names) };
    case 1:
      return collection === "widgets" ? { collection, namespace, color: pick(random, colors) } : { collection, namespace };
    case 2:
    case 3:
      return { collection, namespace, labels: pick(random, Object.keys(labelTests) as (keyof typeof labelTests)[]) };
    default:
      return { collection, namespace };
  }
}
