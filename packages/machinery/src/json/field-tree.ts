/**
 * Fields that are read of an object, as a tree.
 *
 *     ["spec.nodeName", "status"] → fieldTree → spec: { nodeName: "whole" }, status: "whole"
 */

/** Of each field what is wanted of it: all, or some of its fields. */
export type FieldTree = ReadonlyMap<string, FieldTree | "whole">;

/**
 * Returns the tree of paths such as "spec.nodeName". A path leads through lists: "spec.containers.image" means the image of every
 * container. Throws a `TypeError` for an empty name.
 */
export function fieldTree(paths: readonly string[]): FieldTree {
  const root = new Map<string, Branch>();
  for (const path of paths) {
    const names = path.split(".");
    if (names.includes("")) throw new TypeError(`the field ${JSON.stringify(path)} has an empty name; write it as "spec.nodeName"`);
    add(root, names);
  }
  return root;
}

type Branch = Map<string, Branch> | "whole";

function add(tree: Map<string, Branch>, [name = "", ...rest]: readonly string[]): void {
  const known = tree.get(name);
  if (known === "whole") return;
  if (rest.length === 0) {
    tree.set(name, "whole");
    return;
  }
  const branch = known ?? new Map<string, Branch>();
  tree.set(name, branch);
  add(branch, rest);
}
