/** All built-in kinds, and lookup by name. Descriptors and types of each group version are under `@drover/api/<group>/<version>`. */
export { kinds } from "./kind-list.ts";
export { findKind } from "./kinds.ts";
