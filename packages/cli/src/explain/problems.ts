/** All problems that have a code. docs/errors is generated from them, and `drover explain` prints them. */
import type { Problem, ProblemArea } from "./problem.ts";
import { access } from "./problems/access.ts";
import { caches } from "./problems/caches.ts";
import { commands } from "./problems/commands.ts";
import { connections } from "./problems/connections.ts";
import { declarations } from "./problems/declarations.ts";
import { definitions } from "./problems/definitions.ts";
import { kubeconfigs } from "./problems/kubeconfigs.ts";
import { leases } from "./problems/leases.ts";
import { reconciles } from "./problems/reconciles.ts";
import { tests } from "./problems/tests.ts";
import { webhooks } from "./problems/webhooks.ts";

/** In the order of their codes. */
export const problemAreas: readonly ProblemArea[] = [
  definitions,
  declarations,
  kubeconfigs,
  connections,
  access,
  leases,
  reconciles,
  caches,
  webhooks,
  tests,
  commands,
];

export const problems: readonly Problem[] = problemAreas.flatMap((area) => area.problems);
