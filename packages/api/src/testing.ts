export { exampleOf } from "./testing/example-object.ts";
export type { ExampleOptions } from "./testing/example-object.ts";
