/** Random reads: single objects, lists with selectors, pages and versions, and the watch at the end of a sequence. */
import { pick } from "@drover/machinery";
import type { Random } from "@drover/machinery";
import { asPartial, asPartialList } from "../differential/probe-objects.ts";
import { continueWord } from "./step.ts";
import type { Step } from "./step.ts";
import { chance } from "./value-grammar.ts";
import type { WorldKind } from "./world-kinds.ts";

const labelSelectors = ["a", "!a", "a=1", "a!=1", "a in (1,2)", "a notin (1)", "app=web", "a=1,b=1", "a in", "a=not valid!"];
const fieldSelectors = ["metadata.name=a", "metadata.name!=a", "metadata.name=a,metadata.name=b", "spec.nope=1"];

/** A GET of one object, of its subresource, or of a list. */
export function readStep(random: Random, kind: WorldKind, name: string): Step {
  const common = { method: "GET" as const, resource: kind.resource };
  if (chance(random, 60))
    return {
      ...common,
      names: [],
      query: { ...selectorsOf(random, kind), ...pageOf(random, kind) },
      ...(chance(random, 10) ? { accept: asPartialList } : {}),
    };
  if (chance(random, 30) && kind.subresources.length > 0) return { ...common, names: [name, pick(random, kind.subresources)], query: {} };
  return {
    ...common,
    names: [name],
    query: chance(random, 30) ? { resourceVersion: pick(random, ["0", "<fresh>", "<stale>", ...(isCached(kind) ? ["x"] : [])]) } : {},
    ...(chance(random, 15) ? { accept: asPartial } : {}),
  };
}

/** The events since an earlier version, or all initial events and the bookmark that ends them. */
export function watchStep(random: Random, kind: WorldKind): Step {
  const start = chance(random, 80)
    ? { resourceVersion: pick(random, ["<stale>", "<stale>", "<middle>"]) }
    : {
        sendInitialEvents: "true",
        resourceVersionMatch: "NotOlderThan",
        allowWatchBookmarks: "true",
        ...(chance(random, 50) ? { resourceVersion: "<fresh>" } : {}),
      };
  return {
    method: "WATCH",
    resource: kind.resource,
    names: [],
    query: { watch: "1", timeoutSeconds: "1", ...start, ...selectorsOf(random, kind) },
    ...(chance(random, 10) ? { accept: asPartial } : {}),
  };
}

function selectorsOf(random: Random, kind: WorldKind): Record<string, string> {
  return {
    ...(chance(random, 30) ? { labelSelector: pick(random, labelSelectors) } : {}),
    ...(chance(random, 20) ? { fieldSelector: pick(random, [...fieldSelectors, ...kind.fieldSelectors]) } : {}),
  };
}

/** The real server of the suite has no cache of secrets, so that it forgets them with etcd, and reads them differently from other kinds. */
const isCached = ({ resource }: WorldKind): boolean => resource !== "secrets";

function pageOf(random: Random, kind: WorldKind): Record<string, string> {
  if (chance(random, 15)) return { limit: pick(random, ["1", "2"]), continue: continueWord };
  return {
    ...(chance(random, 40) ? { limit: pick(random, ["0", "1", "1", "2", "-1"]) } : {}),
    ...(chance(random, 40) ? { resourceVersion: pick(random, [...(isCached(kind) ? ["0"] : []), "<fresh>", "<stale>", "<middle>"]) } : {}),
    ...(chance(random, 20) ? { resourceVersionMatch: pick(random, ["Exact", "NotOlderThan", "Odd"]) } : {}),
  };
}
