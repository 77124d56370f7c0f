/**
 * Whether an object has members, asked without making a list of them. Assumes an object from a parser or a literal:
 * inherited ones count.
 */
export function hasMembers(object: object): boolean {
  for (const _ in object) return true;
  return false;
}
