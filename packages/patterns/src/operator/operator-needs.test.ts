import { Deployment } from "@drover/api/apps/v1";
import { ConfigMap, Secret } from "@drover/api/core/v1";
import { needOf } from "@drover/controller";
import { parseYamlDocuments } from "@drover/yaml";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { kindFromCrd } from "../crd/kind-from-crd.ts";
import { defineResource } from "../resource/define-resource.ts";
import { reference } from "../schema/reference.ts";
import { createOperator } from "./operator.ts";
import type { OperatorRolesOptions } from "./operator-needs.ts";

const WebApp = defineResource({
  group: "demo.example.com",
  version: "v1",
  kind: "WebApp",
  spec: z.object({ tls: reference(Secret, z.string()).optional() }),
  status: z.object({}),
});

const app = createOperator({ name: "shop" });
app.controller(WebApp, {
  owns: { deployment: Deployment },
  desired: () => ({ deployment: undefined }),
  cleanup: () => undefined,
  status: () => ({}),
  reads: [ConfigMap],
  needs: [needOf(ConfigMap, ["update"])],
});

interface RoleDocument {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly verbs: readonly string[];
  }[];
  readonly subjects?: readonly object[];
}

const documents = (options?: OperatorRolesOptions): readonly RoleDocument[] =>
  parseYamlDocuments(app.roles(options)) as unknown as readonly RoleDocument[];
/** Rules of all roles in a namespace as "deployments: create delete …". */
const rulesIn = (all: readonly RoleDocument[], namespace?: string): readonly string[] =>
  all
    .filter(({ rules, metadata }) => rules !== undefined && metadata.namespace === namespace)
    .flatMap(({ rules = [] }) => rules.flatMap(({ resources, verbs }) => resources.map((resource) => `${resource}: ${verbs.join(" ")}`)))
    .toSorted();

describe("roles of an operator", () => {
  it("contain what was declared, and no more", () => {
    const all = documents({ namespace: "operators" });
    expect(rulesIn(all)).toEqual([
      "configmaps: get list update watch",
      "customresourcedefinitions: create get list patch watch",
      "deployments: create delete get list patch watch",
      "events: create patch",
      "secrets: get list watch",
      "webapps/finalizers: update",
      "webapps/status: update",
      "webapps: get list patch watch",
    ]);
    expect(rulesIn(all, "operators")).toEqual(["leases: create get update"]);
    expect(all.flatMap(({ subjects = [] }) => subjects)[0]).toEqual({ kind: "ServiceAccount", name: "shop", namespace: "operators" });
  });

  it("are namespaced if only some namespaces are watched, and omit what is switched off", () => {
    const all = documents({
      namespace: "operators",
      serviceAccount: "robot",
      watchNamespaces: ["a", "b"],
      leaderElection: false,
      install: false,
    });
    // Needs that the author adds name their own namespace.
    expect(rulesIn(all)).toEqual(["configmaps: update"]);
    expect(rulesIn(all, "a")).toContain("events: create patch");
    expect(rulesIn(all, "a")).toEqual(rulesIn(all, "b"));
    expect(rulesIn(all, "a")).toContain("webapps/status: update");
    expect(rulesIn(all, "operators")).toEqual([]);
    expect(all.flatMap(({ subjects = [] }) => subjects)[0]).toMatchObject({ name: "robot" });
  });

  it("include the LeaseCandidate of coordinated leader election only if asked", () => {
    const rules = (leaderElection: boolean | "coordinated"): readonly string[] =>
      rulesIn(documents({ namespace: "operators", leaderElection }), "operators");
    expect(rules("coordinated")).toEqual(["leasecandidates: create delete get update", "leases: create get update"]);
    expect(rules(true)).toEqual(["leases: create get update"]);
  });

  it("include the leases of shards instead of the one lease", () => {
    expect(rulesIn(documents({ namespace: "operators", shards: true }), "operators")).toEqual(["leases: create delete get list update"]);
  });

  it("do not include the installation of kinds from kindFromCrd", () => {
    const foreign = createOperator({ name: "guest" });
    foreign.controller(kindFromCrd(WebApp.definition()), { reconcile: () => undefined });
    expect(foreign.roles()).toContain("webapps");
    expect(foreign.roles()).not.toContain("customresourcedefinitions");
  });

  it("contain what webhooks and policies need, by name, and what their functions read", () => {
    const checked = createOperator({ name: "shop" });
    checked.admit(ConfigMap, { everywhere: true, validate: () => undefined, needs: [needOf(Secret, ["get"])] });
    checked.admit(ConfigMap, { name: "rules", rules: [["true", "never"]] });
    const rules = (options: OperatorRolesOptions): readonly string[] => {
      const all = parseYamlDocuments(checked.roles({ leaderElection: false, ...options })) as unknown as readonly RoleDocument[];
      return [...rulesIn(all), ...rulesIn(all, "default")];
    };
    expect(rules({})).toEqual([
      "events: create patch",
      "mutatingwebhookconfigurations: delete get",
      "secrets: get",
      "validatingadmissionpolicies: create get patch",
      "validatingadmissionpolicybindings: create get patch",
      "validatingwebhookconfigurations: create get patch",
      "secrets: create",
      "secrets: get update",
    ]);
    expect(rules({ webhooks: "inject" })).not.toContain("validatingadmissionpolicies: create get patch");
    expect(rules({ webhooks: false })).toEqual(["events: create patch"]);
  });
});
