/** Names of snapshots: the resource for people, and a hash that tells collections of one resource apart. */

/** Returns the name of the snapshot of a collection: "deployments.apps-1f2e3d4c5b6a7988". Equal names need not be of equal collections. */
export function snapshotName(resource: string, collection: string): string {
  const readable = resource.replaceAll(/[^A-Za-z0-9.-]/g, "-").slice(0, resourceLengthMax);
  return `${readable}-${hash(collection, 0x811c9dc5)}${hash(collection, 0x9e3779b1)}`;
}

const resourceLengthMax = 150;

/** FNV-1a over the units of a text. */
function hash(text: string, basis: number): string {
  let value = basis;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return (value >>> 0).toString(16).padStart(8, "0");
}
