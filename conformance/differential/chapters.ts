/** Every chapter of probes, in reading order. */
import type { Chapter } from "./probe.ts";
import { access } from "./probes/access.ts";
import { admissionPlugins } from "./probes/admission-plugins.ts";
import { apply } from "./probes/apply.ts";
import { bodies } from "./probes/bodies.ts";
import { bootstrap } from "./probes/bootstrap.ts";
import { conversions } from "./probes/conversions.ts";
import { create } from "./probes/create.ts";
import { custom } from "./probes/custom.ts";
import { remove } from "./probes/delete.ts";
import { details } from "./probes/details.ts";
import { discovery } from "./probes/discovery.ts";
import { everyKind } from "./probes/every-kind.ts";
import { hostile } from "./probes/hostile.ts";
import { kinds } from "./probes/kinds.ts";
import { limits } from "./probes/limits.ts";
import { list } from "./probes/list.ts";
import { metadataProbes } from "./probes/metadata.ts";
import { namespaces } from "./probes/namespaces.ts";
import { patch } from "./probes/patch.ts";
import { policies } from "./probes/policies.ts";
import { policyMutations } from "./probes/policy-mutations.ts";
import { policyValidation } from "./probes/policy-validation.ts";
import { reads } from "./probes/reads.ts";
import { requests } from "./probes/requests.ts";
import { storedVersions } from "./probes/stored-versions.ts";
import { tables } from "./probes/tables.ts";
import { tokens } from "./probes/tokens.ts";
import { update } from "./probes/update.ts";
import { watch } from "./probes/watch.ts";
import { webhooks } from "./probes/webhooks.ts";

/** The probes of `npm run test:differential`. */
export const chapters: readonly Chapter[] = [
  discovery,
  tables,
  create,
  list,
  watch,
  update,
  patch,
  apply,
  remove,
  namespaces,
  custom,
  kinds,
  limits,
  access,
  bootstrap,
  admissionPlugins,
  policies,
  policyValidation,
  policyMutations,
  webhooks,
  conversions,
  storedVersions,
  tokens,
  hostile,
  details,
  bodies,
  metadataProbes,
  reads,
  requests,
  everyKind,
];
