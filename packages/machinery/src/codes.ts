/** Codes of problems, such as DRV0310. `drover explain` and docs/errors have their pages. */
export { codedText, fieldsCode, problemCode, withCode } from "./errors/problem-code.ts";
export type { ProblemCode } from "./errors/problem-code.ts";
