/**
 * File and type names of generated code. Every name that appears outside of quotes in generated code, or in a path,
 * passes through here and is refused when it is not a plain word.
 *
 *     apps/v1 → apps/v1.ts     networking.k8s.io/v1 → networking/v1.ts     v1 → core/v1.ts
 */
import type { GroupVersion } from "@drover/machinery";

/** A group version and the folder of its group. */
export interface Home extends GroupVersion {
  readonly folder: string;
}

/** Folder names with another meaning inside the package. */
const taken: ReadonlySet<string> = new Set(["core", "meta", "quota", "schemas", "shapes", "testing"]);

/**
 * The folder of each group: "core" for the core group, else the group's first label. Groups that would share a folder,
 * or take one in use, get their whole name with dashes instead.
 */
export function groupFolders(groups: Iterable<string>): ReadonlyMap<string, string> {
  const names = new Set(groups);
  const users = new Map<string, number>();
  for (const group of names) users.set(firstLabel(group), (users.get(firstLabel(group)) ?? 0) + 1);
  const folder = (group: string): string => {
    if (group === "") return "core";
    const label = firstLabel(checkGroup(group));
    return taken.has(label) || users.get(label) !== 1 ? group.replaceAll(".", "-") : label;
  };
  return new Map([...names].map((group) => [group, folder(group)]));
}

const firstLabel = (group: string): string => group.split(".", 1)[0] ?? "";

/** "io.k8s.api.core.v1.Pod" → the package "io.k8s.api.core.v1" and the name "Pod". */
export function splitDefinition(fullName: string): { readonly packageName: string; readonly name: string } {
  const dot = fullName.lastIndexOf(".");
  return { packageName: checkPackage(fullName.slice(0, Math.max(dot, 0))), name: checkTypeName(fullName.slice(dot + 1)) };
}

/** "core/v1": the name of a group version in paths, entry points and references. */
export const homePath = ({ folder, version }: Home): string => `${folder}/${version}`;

/** A version as a file name. */
export const checkVersion = (version: string): string => refuseUnless(/^v[a-z0-9]+$/, version, "a version");

/** The names of types are the names of kinds: words that begin with a capital letter, except those that generated code uses itself. */
export function checkTypeName(name: string): string {
  return refuseUnless(/^(?!Record$)[A-Z][A-Za-z0-9]*$/, name, "the name of a type");
}

const checkGroup = (group: string): string => refuseUnless(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, group, "an API group");
const checkPackage = (name: string): string => refuseUnless(/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/, name, "a package of definitions");

function refuseUnless(pattern: RegExp, text: string, what: string): string {
  if (pattern.test(text)) return text;
  throw new TypeError(`${JSON.stringify(text)} cannot be ${what}: it must match ${pattern.source}`);
}
