/** All functions a rule can call, by name. */
import { functionTable } from "../check/environment.ts";
import type { Overload } from "../check/environment.ts";
import { authorizerFunctions } from "./authorizers.ts";
import { listFunctions } from "./lists.ts";
import { formatFunctions } from "./named-formats.ts";
import { networkFunctions } from "./networks.ts";
import { quantityFunctions } from "./quantities.ts";
import { regexFunctions } from "./regexes.ts";
import { semverFunctions } from "./semvers.ts";
import { standardFunctions } from "./standard.ts";
import { textFunctions } from "./texts.ts";
import { timeFunctions } from "./times.ts";
import { urlFunctions } from "./urls.ts";

/** The table of functions. */
export const library: ReadonlyMap<string, readonly Overload[]> = functionTable([
  ...standardFunctions,
  ...regexFunctions,
  ...timeFunctions,
  ...textFunctions,
  ...listFunctions,
  ...urlFunctions,
  ...quantityFunctions,
  ...networkFunctions,
  ...formatFunctions,
  ...semverFunctions,
  ...authorizerFunctions,
]);
