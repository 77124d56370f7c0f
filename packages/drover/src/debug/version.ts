/** The version of this package, as status pages show it. A test compares it with the manifest. */

/** The version, such as "0.1.0". */
export const version = "0.1.0";
