/** Whether an object has members, without listing them. Assumes an object from a parser or a literal: inherited members count. */
export function hasMembers(object: object): boolean {
  for (const _ in object) return true;
  return false;
}
