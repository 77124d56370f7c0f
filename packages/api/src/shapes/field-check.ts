/**
 * Checks the paths of fields that a program declares.
 *
 *     StructShape, ["spec.nodename"] → checkFields → TypeError: … did you mean "spec.nodeName"?
 */
import type { Shape, StructShape } from "./shape.ts";

/** Throws a `TypeError` for a path that the Go type of a kind does not have; it names the path and the nearest field that there is. */
export function checkFields(kind: string, shape: StructShape, paths: readonly string[]): void {
  for (const path of paths) checkPath(kind, shape, path);
}

function checkPath(kind: string, shape: StructShape, path: string): void {
  let at: Shape = shape;
  let before = "";
  for (const name of path.split(".")) {
    if (at.kind !== "struct")
      throw new TypeError(
        `fields of ${kind}: ${JSON.stringify(path)} leads into ${JSON.stringify(before)}, ${described(at)}; declare ${JSON.stringify(before)}`,
      );
    const field = at.field(name);
    if (field === undefined) throw unknownField(kind, at, before, path, name);
    before = joined(before, name);
    at = itemOf(field.shape);
  }
}

function unknownField(kind: string, { fields }: StructShape, before: string, path: string, name: string): TypeError {
  const names = fields.map((field) => field.name);
  const near = nearest(name, names);
  const fix =
    near === undefined
      ? `${before === "" ? kind : JSON.stringify(before)} has ${names.join(", ")}`
      : `did you mean ${JSON.stringify(joined(before, near))}?`;
  return new TypeError(`fields of ${kind}: there is no field ${JSON.stringify(path)}; ${fix}`);
}

const joined = (before: string, name: string): string => (before === "" ? name : `${before}.${name}`);

function itemOf(shape: Shape): Shape {
  return shape.kind === "list" ? itemOf(shape.item) : shape;
}

function described({ kind, goType }: Shape): string {
  if (kind === "map") return "a map, whose keys cannot be declared";
  return `whose type ${goType} has no fields`;
}

/** More letters than this are another word. */
const distanceMax = 2;

function nearest(name: string, names: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  const ranked = names.map((each) => ({ each, distance: editDistance(lower, each.toLowerCase()) }));
  const [best] = ranked.toSorted((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= distanceMax ? best.each : undefined;
}

/** Returns how many letters must be inserted, removed or replaced; at most `distanceMax + 1` if the lengths differ by more. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > distanceMax) return distanceMax + 1;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const [left = 0, above = 0, corner = 0] = [next[j - 1], row[j], row[j - 1]];
      next.push(Math.min(left + 1, above + 1, corner + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
