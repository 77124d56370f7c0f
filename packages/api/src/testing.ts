/** Random objects of built-in kinds, for property tests. */
export { exampleOf } from "./testing/example-object.ts";
export type { ExampleOptions } from "./testing/example-object.ts";
