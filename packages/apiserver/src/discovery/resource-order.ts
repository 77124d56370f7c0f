/** The order of verbs and subresources: sorted for built-in resources, kube-apiserver's insertion order for custom ones. */
import { compareBytes } from "@drover/machinery";
import type { Subresource, Verb } from "@drover/machinery";
import type { DiscoverableResource } from "./served-groups.ts";

const customVerbs: readonly Verb[] = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
const customSubresources: readonly string[] = ["status", "scale"];

export function orderedVerbs({ kind, isCustom }: DiscoverableResource): Verb[] {
  return isCustom ? customVerbs.filter((verb) => kind.verbs.includes(verb)) : kind.verbs.toSorted(compareBytes);
}

export function orderedSubresources({ kind, isCustom }: DiscoverableResource): (readonly [name: string, subresource: Subresource])[] {
  const subresources = Object.entries(kind.subresources);
  if (!isCustom) return subresources.toSorted(([a], [b]) => compareBytes(a, b));
  return subresources.toSorted(([a], [b]) => customSubresources.indexOf(a) - customSubresources.indexOf(b));
}
