/**
 * The functions that ask who may do what. No rule of a schema has an authorizer to ask, so none of them can be called;
 * they are declared so that the
 * server's errors about such a rule are ours.
 */
import { overload } from "../check/environment.ts";
import type { Overload } from "../check/environment.ts";

const methods: readonly (readonly [name: string, args: number])[] = [
  ["path", 1],
  ["group", 1],
  ["serviceAccount", 2],
  ["resource", 1],
  ["subresource", 1],
  ["namespace", 1],
  ["name", 1],
  ["check", 1],
  ["allowed", 0],
  ["reason", 0],
  ["errored", 0],
  ["error", 0],
  ["fieldSelector", 1],
  ["labelSelector", 1],
];

/** All of them, on a type that nothing has. */
export const authorizerFunctions: readonly Overload[] = methods.map(([name, args]) =>
  overload(`authorizer_${name}`, `authorizer . ${name}(${Array.from({ length: args }, () => "string").join(", ")}) authorizer`),
);
