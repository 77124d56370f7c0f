/** Objects whose absent fields are really absent, as `exactOptionalPropertyTypes` wants them. */

/** The members that are not undefined. All names of the type must be listed, so that none is forgotten. */
export function definedOnly<T extends object>(members: { readonly [K in keyof Required<T>]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
