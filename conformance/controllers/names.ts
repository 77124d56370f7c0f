/**
 * Replaces names that differ between clusters by stable ones: hashes and random suffixes become numbers in the order of
 * creation, or a star where objects are interchangeable.
 *
 *     versions → stableNames → "web-7c9f" is "web-#1", each of its pods "web-#1-*", a uid "uid of Pod web-#1-*"
 */
import type { KubeObject } from "@drover/machinery";
import type { Version } from "./history.ts";

export interface StableNames {
  /** The stable name of an object, by its uid. */
  readonly nameOf: (object: KubeObject) => string;
  /** Replaces every name, uid, hash, address and timestamp in a text. */
  readonly text: (text: string) => string;
}

/** Kinds whose objects are numbered in the order of creation. */
const numbered: ReadonlySet<string> = new Set(["ReplicaSet", "ControllerRevision"]);

export function stableNames(versions: readonly Version[], namespace: string): StableNames {
  const byUid = new Map<string, string>();
  const words = new Map<string, string>([[namespace, "$namespace"]]);
  const counts = new Map<string, number>();
  // Owners first, because their names are part of their dependents' names. Watches of different kinds are not
  // synchronised.
  const order = ["Node", "CronJob", "Job", "Deployment", "ReplicaSet"];
  const sorted = versions.toSorted((a, b) => rank(order, a.kind) - rank(order, b.kind));
  for (const { kind, object } of sorted) {
    const { uid = "", name = "", labels = {} } = object.metadata;
    if (byUid.has(uid) || kind === "Event") continue;
    const stable = stableName(kind, object, { words, counts, namespace });
    byUid.set(uid, stable);
    words.set(uid, `uid of ${kind} ${stable}`);
    if (stable === name) continue;
    words.set(name, stable);
    const hash = labels["pod-template-hash"] ?? labels["controller-revision-hash"] ?? labels["controller.kubernetes.io/hash"];
    if (numbered.has(kind)) words.set(hash ?? name.slice(name.lastIndexOf("-") + 1), `hash of ${stable}`);
  }
  return { nameOf: ({ metadata }) => byUid.get(metadata.uid ?? "") ?? metadata.name ?? "", text: (text) => masked(text, words) };
}

const rank = (order: readonly string[], kind: string): number => (order.includes(kind) ? order.indexOf(kind) : order.length);

interface Naming {
  readonly words: ReadonlyMap<string, string>;
  readonly counts: Map<string, number>;
  readonly namespace: string;
}

function stableName(kind: string, { metadata }: KubeObject, { words, counts, namespace }: Naming): string {
  const { name = "", generateName, ownerReferences = [] } = metadata;
  const owner = ownerReferences.find(({ controller }) => controller === true);
  if (kind === "Namespace") return "$namespace";
  if (kind === "Node") return name.startsWith(`${namespace}-`) ? `$namespace-${name.slice(namespace.length + 1)}` : "$node";
  if ((numbered.has(kind) && owner !== undefined) || owner?.kind === "CronJob") {
    const prefix = words.get(owner.name) ?? owner.name;
    const count = (counts.get(`${kind} ${prefix}`) ?? 0) + 1;
    counts.set(`${kind} ${prefix}`, count);
    return `${prefix}-#${count}`;
  }
  if (generateName === undefined || owner?.kind === "StatefulSet") return name;
  const stem = generateName.replace(/-$/, "");
  return `${ownedStem(stem, owner?.name, words)}-*`;
}

/** "job-0" of Job "job" keeps its index; the owner's name is replaced by its stable one. */
function ownedStem(stem: string, owner: string | undefined, words: ReadonlyMap<string, string>): string {
  const known = owner === undefined ? undefined : words.get(owner);
  return known === undefined || owner === undefined || !stem.startsWith(owner)
    ? (words.get(stem) ?? stem)
    : known + stem.slice(owner.length);
}

function masked(text: string, words: ReadonlyMap<string, string>): string {
  return text
    .replace(/-----BEGIN [^]*-----END [A-Z ]+-----/g, "$pem")
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "$time")
    .replace(/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, "$ip")
    .replace(/\bnode-\d+\b/g, "$node")
    .replace(/[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?/gi, (word) => words.get(word) ?? word);
}
