/**
 * Functions of the authorizer library. Rules of a schema have no authorizer, so none can be called; they are declared so that
 * errors about such a rule equal kube-apiserver's.
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

/** The overloads, on a type that no value has. */
export const authorizerFunctions: readonly Overload[] = methods.map(([name, args]) =>
  overload(`authorizer_${name}`, `authorizer . ${name}(${Array.from({ length: args }, () => "string").join(", ")}) authorizer`),
);
