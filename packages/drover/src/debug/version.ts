/** The version of this package. */
import manifest from "../../package.json" with { type: "json" };

/** The version, such as "0.1.0". */
export const version: string = manifest.version;
