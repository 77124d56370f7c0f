/** Paths to fields as the API server prints them: `spec.containers[0].env[3].name`, `metadata.labels[app.kubernetes.io/name]`. */

/** A printed path; the root is the empty string. */
export type FieldPath = string;

/** A field of an object. */
export const fieldChild = (parent: FieldPath, name: string): FieldPath => (parent === "" ? name : `${parent}.${name}`);
/** An item of a list. */
export const fieldIndex = (parent: FieldPath, index: number): FieldPath => `${parent}[${index}]`;
/** An entry of a map, whose keys are data. */
export const fieldKey = (parent: FieldPath, key: string): FieldPath => `${parent}[${key}]`;
