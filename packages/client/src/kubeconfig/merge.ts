/**
 * Merges kubeconfigs as kubectl does.
 *
 *     Kubeconfig[] → mergeKubeconfigs → Kubeconfig
 */
import { Secret, setOwn } from "@drover/machinery";
import type { JsonObject } from "@drover/machinery";
import type { Kubeconfig, KubeconfigPreferences } from "./kubeconfig.ts";
import { emptyKubeconfig } from "./kubeconfig.ts";

/**
 * Guarantees: of entries with the same name, the first one is used as a whole; the first current context is used; entries
 * keep their origin and order.
 */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  return configs.reduce(mergeTwo, emptyKubeconfig);
}

function mergeTwo(first: Kubeconfig, second: Kubeconfig): Kubeconfig {
  const preferences = mergePreferences(first.preferences, second.preferences);
  return {
    ...(preferences !== undefined && { preferences }),
    clusters: firstWins(first.clusters, second.clusters),
    users: firstWins(first.users, second.users),
    contexts: firstWins(first.contexts, second.contexts),
    "current-context": first["current-context"] === "" ? second["current-context"] : first["current-context"],
    extensions: firstWins(first.extensions, second.extensions),
    ...mergeOther(first.other, second.other),
  };
}

function mergePreferences(
  first: KubeconfigPreferences | undefined,
  second: KubeconfigPreferences | undefined,
): KubeconfigPreferences | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const colors = first.colors === true ? true : (second.colors ?? first.colors);
  const extensions =
    first.extensions === undefined && second.extensions === undefined
      ? undefined
      : firstWins(first.extensions ?? [], second.extensions ?? []);
  return {
    ...(colors !== undefined && { colors }),
    ...(extensions !== undefined && { extensions }),
    ...mergeOther(first.other, second.other),
  };
}

function firstWins<E extends { readonly name: string }>(first: readonly E[], second: readonly E[]): readonly E[] {
  const taken = new Set(first.map(({ name }) => name));
  return [...first, ...second.filter(({ name }) => !taken.has(name))];
}

function mergeOther(
  first: Secret<JsonObject> | undefined,
  second: Secret<JsonObject> | undefined,
): { readonly other?: Secret<JsonObject> } {
  if (first === undefined && second === undefined) return {};
  const merged: JsonObject = {};
  for (const other of [second, first]) for (const [key, value] of Object.entries(other?.reveal() ?? {})) setOwn(merged, key, value);
  return { other: new Secret(merged) };
}
