export { kinds } from "./kind-list.ts";
export { findKind } from "./kinds.ts";
