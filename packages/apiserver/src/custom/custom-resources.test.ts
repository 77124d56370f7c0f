import { describe, expect, it } from "vitest";
import type { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { deepCopy, formatTime, seconds } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import fc from "fast-check";
import type { Resource } from "../registry/resource.ts";
import { beginCrdDeletion, cleanupFinalizer } from "./crd-deletion.ts";
import type { CustomHost } from "./custom-host.ts";
import { CustomResources } from "./custom-resources.ts";

interface Asked {
  readonly plural: string;
  readonly kind: string;
  readonly group?: string;
  readonly singular?: string;
  readonly shortNames?: string[];
}

/** A host with definitions, and with the number of their objects only. */
class FakeHost implements CustomHost {
  readonly stored = new Map<string, CustomResourceDefinition>();
  readonly served = new Map<string, readonly Resource[]>();
  readonly instances = new Map<string, number>();
  readonly held = new Set<string>();
  readonly clock: ManualClock;
  reads = 0;
  writes = 0;
  serveCalls = 0;
  #revision = 0;

  constructor(clock: ManualClock) {
    this.clock = clock;
  }

  readonly readCrds = (): Promise<CustomResourceDefinition[]> => {
    this.reads++;
    return Promise.resolve([...this.stored.values()].map((crd) => deepCopy(crd)));
  };

  readonly updateCrd = (name: string, change: (crd: CustomResourceDefinition) => void): Promise<void> => {
    const crd = this.stored.get(name);
    if (crd !== undefined) {
      const draft = deepCopy(crd);
      change(draft);
      draft.metadata.resourceVersion = String(++this.#revision);
      this.writes++;
      if (draft.metadata.deletionTimestamp !== undefined && (draft.metadata.finalizers ?? []).length === 0) this.stored.delete(name);
      else this.stored.set(name, draft);
    }
    return Promise.resolve();
  };

  readonly published = (): Promise<void> => Promise.resolve();

  readonly deleteInstances = ({ kind, afterWrite }: Resource): Promise<{ remaining: number }> => {
    expect(afterWrite).toBeUndefined();
    const name = `${kind.plural}.${kind.group}`;
    if (!this.held.has(name)) this.instances.delete(name);
    return Promise.resolve({ remaining: this.instances.get(name) ?? 0 });
  };

  readonly serve = (name: string, resources: readonly Resource[]): void => {
    this.serveCalls++;
    if (resources.length === 0) this.served.delete(name);
    else this.served.set(name, resources);
  };

  define({ plural, kind, group = "ex.io", singular = kind.toLowerCase(), shortNames }: Asked): string {
    const name = `${plural}.${group}`;
    const names = { plural, kind, singular, listKind: `${kind}List`, ...(shortNames === undefined ? {} : { shortNames }) };
    this.stored.set(name, {
      metadata: {
        name,
        uid: `uid-${this.clock.now()}-${plural}`,
        resourceVersion: String(++this.#revision),
        generation: 1,
        creationTimestamp: formatTime(this.clock.now()),
      },
      spec: {
        group,
        names,
        scope: "Namespaced",
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
      status: { storedVersions: ["v1"] },
    });
    return name;
  }

  change(name: string, change: (crd: CustomResourceDefinition) => void): void {
    const crd = this.stored.get(name);
    if (crd === undefined) throw new Error(`no ${name}`);
    change(crd);
    crd.metadata.generation = (crd.metadata.generation ?? 0) + 1;
    crd.metadata.resourceVersion = String(++this.#revision);
  }

  delete(name: string): void {
    this.change(name, (crd) => {
      crd.metadata.deletionTimestamp = "2026-11-15T20:00:00Z";
      beginCrdDeletion(crd, this.clock.now());
    });
  }

  conditions(name: string): string[] {
    return (this.stored.get(name)?.status?.conditions ?? []).map(
      ({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`,
    );
  }
}

function newHost(): { readonly host: FakeHost; readonly custom: CustomResources; readonly clock: ManualClock } {
  const clock = new ManualClock();
  const host = new FakeHost(clock);
  return { host, clock, custom: new CustomResources(host, { clock }) };
}

const accepted = "NamesAccepted True NoConflicts: no conflicts found";
const established = "Established True InitialNamesAccepted: the initial names have been accepted";

describe("CustomResources.settle", () => {
  it("reads a schema again only when its definition has changed", async () => {
    const { host, custom } = newHost();
    const name = host.define({ plural: "widgets", kind: "Widget" });
    await custom.settle();
    let schemaReads = 0;
    const { readCrds } = host;
    const counting = async (): Promise<CustomResourceDefinition[]> =>
      (await readCrds()).map((crd) => {
        const [version] = crd.spec.versions;
        const schema = version?.schema;
        if (version !== undefined) Object.defineProperty(version, "schema", { enumerable: true, get: () => (schemaReads++, schema) });
        return crd;
      });
    Object.defineProperty(host, "readCrds", { value: counting });
    await custom.settle();
    await custom.settle();
    expect(schemaReads).toBe(0);
    host.change(name, (crd) => (crd.spec.scope = "Cluster"));
    await custom.settle();
    expect(schemaReads).toBeGreaterThan(0);
  });

  it("accepts names, establishes and serves a definition", async () => {
    const { host, custom } = newHost();
    const name = host.define({ plural: "widgets", kind: "Widget", shortNames: ["wd"] });
    await custom.settle();
    expect(host.conditions(name)).toEqual([accepted, established]);
    expect(host.stored.get(name)?.status?.acceptedNames).toEqual({
      plural: "widgets",
      singular: "widget",
      kind: "Widget",
      listKind: "WidgetList",
      shortNames: ["wd"],
    });
    expect(host.served.get(name)?.map(({ kind }) => `${kind.group}/${kind.version} ${kind.plural}`)).toEqual(["ex.io/v1 widgets"]);
  });

  it("writes and serves nothing when nothing changed", async () => {
    const { host, custom } = newHost();
    host.define({ plural: "widgets", kind: "Widget" });
    await custom.settle();
    const { writes, serveCalls } = host;
    await custom.settle();
    expect([host.writes, host.serveCalls]).toEqual([writes, serveCalls]);
  });

  it("serves a changed definition again", async () => {
    const { host, custom } = newHost();
    const name = host.define({ plural: "widgets", kind: "Widget" });
    await custom.settle();
    host.change(name, ({ spec }) =>
      spec.versions.push({ name: "v2", served: true, storage: false, schema: { openAPIV3Schema: { type: "object" } } }),
    );
    await custom.settle();
    expect(host.served.get(name)?.map(({ kind }) => kind.version)).toEqual(["v1", "v2"]);
  });

  it("reports the last name conflict and serves nothing", async () => {
    const { host, custom, clock } = newHost();
    host.define({ plural: "widgets", kind: "Widget", shortNames: ["wd"] });
    await custom.settle();
    await clock.advance(seconds(1));
    const name = host.define({ plural: "gizmos", kind: "Widget", singular: "gizmo", shortNames: ["wd", "gz"] });
    await custom.settle();
    expect(host.conditions(name)).toEqual([
      'NamesAccepted False ListKindConflict: "WidgetList" is already in use',
      "Established False NotAccepted: not all names are accepted",
    ]);
    expect(host.stored.get(name)?.status?.acceptedNames).toEqual({ plural: "gizmos", singular: "gizmo", kind: "" });
    expect(host.served.has(name)).toBe(false);
  });

  it("lists all conflicting short names", async () => {
    const { host, custom, clock } = newHost();
    host.define({ plural: "widgets", kind: "Widget", shortNames: ["a", "b"] });
    await custom.settle();
    await clock.advance(seconds(1));
    const name = host.define({ plural: "gizmos", kind: "Gizmo", shortNames: ["a", "b", "c"] });
    await custom.settle();
    expect(host.conditions(name)[0]).toBe('NamesAccepted False ShortNamesConflict: ["a" is already in use, "b" is already in use]');
  });

  it("allows equal names in different groups", async () => {
    const { host, custom } = newHost();
    host.define({ plural: "widgets", kind: "Widget" });
    const name = host.define({ plural: "widgets", kind: "Widget", group: "other.io" });
    await custom.settle();
    expect(host.conditions(name)).toEqual([accepted, established]);
  });

  it("accepts a name when the definition that held it is deleted", async () => {
    const { host, custom, clock } = newHost();
    const first = host.define({ plural: "widgets", kind: "Widget" });
    await custom.settle();
    await clock.advance(seconds(1));
    const second = host.define({ plural: "gizmos", kind: "Widget", singular: "gizmo" });
    await custom.settle();
    host.delete(first);
    await custom.settle();
    expect(host.stored.has(first)).toBe(false);
    expect(host.served.has(first)).toBe(false);
    expect(host.conditions(second)).toEqual([accepted, established]);
    expect(host.served.has(second)).toBe(true);
  });

  it("keeps a definition established when its new names conflict", async () => {
    const { host, custom, clock } = newHost();
    const first = host.define({ plural: "widgets", kind: "Widget", shortNames: ["wd"] });
    await custom.settle();
    await clock.advance(seconds(1));
    host.define({ plural: "gizmos", kind: "Gizmo", shortNames: ["gz"] });
    await custom.settle();
    host.change(first, ({ spec }) => (spec.names.shortNames = ["gz"]));
    await custom.settle();
    expect(host.conditions(first)).toEqual(['NamesAccepted False ShortNamesConflict: "gz" is already in use', established]);
    expect(host.served.get(first)?.[0]?.kind.shortNames).toEqual(["wd"]);
  });

  it("sets KubernetesAPIApprovalPolicyConformant for community groups", async () => {
    const { host, custom } = newHost();
    const name = host.define({ plural: "widgets", kind: "Widget", group: "x.k8s.io" });
    host.change(name, ({ metadata }) => (metadata.annotations = { "api-approved.kubernetes.io": "unapproved, an experiment" }));
    await custom.settle();
    expect(host.conditions(name)[2]).toBe(
      'KubernetesAPIApprovalPolicyConformant False UnapprovedAnnotation: not approved: "unapproved, an experiment"',
    );
    host.change(name, ({ metadata }) => (metadata.annotations = { "api-approved.kubernetes.io": "https://example.com/1" }));
    await custom.settle();
    expect(host.conditions(name)[2]).toBe(
      "KubernetesAPIApprovalPolicyConformant True ApprovedAnnotation: approved in https://example.com/1",
    );
  });

  it("sets NonStructuralSchema for a stored schema until it is structural", async () => {
    const { host, custom } = newHost();
    const name = host.define({ plural: "widgets", kind: "Widget" });
    host.change(name, ({ spec }) => (spec.preserveUnknownFields = true));
    await custom.settle();
    expect(host.conditions(name)[2]).toBe(
      "NonStructuralSchema True Violations: spec.preserveUnknownFields: Invalid value: true: must be false",
    );
    host.change(name, ({ spec }) => delete spec.preserveUnknownFields);
    await custom.settle();
    expect(host.conditions(name)).toEqual([accepted, established]);
  });

  it("does not establish a definition whose conversion webhook has no valid CA bundle", async () => {
    const { host, custom } = newHost();
    const name = host.define({ plural: "widgets", kind: "Widget" });
    host.change(
      name,
      ({ spec }) =>
        (spec.conversion = {
          strategy: "Webhook",
          webhook: { clientConfig: { url: "https://h/", caBundle: "YWJj" }, conversionReviewVersions: ["v1"] },
        }),
    );
    await custom.settle();
    expect(host.conditions(name)).toEqual([accepted, "Established False InvalidCABundle: The conversion webhook CABundle is invalid"]);
  });

  it("changes lastTransitionTime only with the condition's status", async () => {
    const { host, custom, clock } = newHost();
    const name = host.define({ plural: "widgets", kind: "Widget" });
    await custom.settle();
    const times = (): (string | undefined)[] =>
      host.stored.get(name)?.status?.conditions?.map(({ lastTransitionTime }) => lastTransitionTime) ?? [];
    const before = times();
    await clock.advance(seconds(60));
    host.change(name, ({ spec }) => (spec.names.shortNames = ["wd"]));
    await custom.settle();
    expect(times()).toEqual(before);
  });
});

describe("deletion of a CustomResourceDefinition with objects", () => {
  it("deletes its objects, then the definition", async () => {
    const { host, custom } = newHost();
    const name = host.define({ plural: "widgets", kind: "Widget" });
    host.instances.set(name, 3);
    await custom.settle();
    host.delete(name);
    await custom.settle();
    expect(host.stored.has(name)).toBe(false);
    expect(host.instances.has(name)).toBe(false);
    expect(host.served.has(name)).toBe(false);
  });

  it("waits for objects with finalizers, refuses creations, and ends with the last object", async () => {
    const { host, custom } = newHost();
    const name = host.define({ plural: "widgets", kind: "Widget" });
    host.instances.set(name, 1);
    host.held.add(name);
    await custom.settle();
    host.delete(name);
    await custom.settle();
    expect(host.stored.get(name)?.metadata.finalizers).toEqual([cleanupFinalizer]);
    expect(host.conditions(name)[2]).toBe("Terminating True InstanceDeletionInProgress: CustomResource deletion is in progress");
    const [resource] = host.served.get(name) ?? [];
    expect(() => resource?.admitCreate?.("a")).toThrow(
      'widgets.ex.io "a" is forbidden: create not allowed while custom resource definition is terminating',
    );
    host.held.delete(name);
    await resource?.afterWrite?.();
    expect(host.stored.has(name)).toBe(false);
  });

  it("does not look for objects of a definition that was never established", async () => {
    const { host, custom, clock } = newHost();
    host.define({ plural: "widgets", kind: "Widget" });
    await custom.settle();
    await clock.advance(seconds(1));
    const name = host.define({ plural: "gizmos", kind: "Widget", singular: "gizmo" });
    await custom.settle();
    host.instances.set(name, 1);
    host.change(name, ({ metadata }) => (metadata.finalizers = ["mine.io/x"]));
    host.delete(name);
    await custom.settle();
    expect(host.stored.get(name)?.metadata.finalizers).toEqual(["mine.io/x"]);
    expect(host.conditions(name)[2]).toBe("Terminating False NeverEstablished: resource was never established");
    expect(host.instances.get(name)).toBe(1);
  });

  it("distinguishes a definition from a later one of the same name", async () => {
    const { host, custom, clock } = newHost();
    const name = host.define({ plural: "widgets", kind: "Widget" });
    await custom.settle();
    const [first] = host.served.get(name) ?? [];
    host.stored.delete(name);
    await clock.advance(seconds(1));
    host.define({ plural: "widgets", kind: "Widget" });
    await custom.settle();
    expect(host.served.get(name)?.[0]).not.toBe(first);
  });
});

describe("concurrent calls of CustomResources.settle", () => {
  it("cover definitions stored before the call, even during a run", async () => {
    const { host, custom } = newHost();
    const first = host.define({ plural: "widgets", kind: "Widget" });
    const running = custom.settle();
    const second = host.define({ plural: "gizmos", kind: "Gizmo" });
    await Promise.all([running, custom.settle(), custom.settle()]);
    expect([host.served.has(first), host.served.has(second)]).toEqual([true, true]);
  });

  it("share one more run", async () => {
    const { host, custom } = newHost();
    await Promise.all([custom.settle(), custom.settle(), custom.settle(), custom.settle()]);
    expect(host.reads).toBe(2);
    await custom.settle();
    expect(host.reads).toBe(3);
  });

  it("continue after a failed run", async () => {
    const { host, clock } = newHost();
    const name = host.define({ plural: "widgets", kind: "Widget" });
    const { readCrds, updateCrd, deleteInstances, serve, published } = host;
    let failures = 1;
    const custom = new CustomResources(
      {
        readCrds,
        deleteInstances,
        serve,
        published,
        updateCrd: (...update) => (failures-- > 0 ? Promise.reject(new Error("no disk")) : updateCrd(...update)),
      },
      { clock },
    );
    const [first, second] = await Promise.allSettled([custom.settle(), custom.settle()]);
    expect([first.status, second.status]).toEqual(["rejected", "fulfilled"]);
    expect(host.conditions(name)).toEqual([accepted, established]);
  });

  it("converge to unique names with every possible definition established", () => {
    const word = fc.constantFrom("a", "b", "c");
    const asked = fc.record({
      plural: fc.constantFrom("pa", "pb", "pc"),
      kind: fc.constantFrom("Ka", "Kb"),
      singular: word,
      shortNames: fc.uniqueArray(word, { maxLength: 2 }),
    });
    const numRuns = Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 100) / 20);
    return fc.assert(
      fc.asyncProperty(fc.array(asked, { maxLength: 4 }), fc.nat({ max: 3 }), async (all, victim) => {
        const { host, custom, clock } = newHost();
        for (const each of all) {
          host.define(each);
          await custom.settle();
          await clock.advance(seconds(1));
        }
        const gone = [...host.stored.keys()][victim];
        if (gone !== undefined) host.delete(gone);
        await custom.settle();
        const kinds = [...host.stored.values()].map(({ status }) => status?.acceptedNames?.kind).filter((kind) => kind !== "");
        expect(new Set(kinds).size).toBe(kinds.length);
        for (const [name, { spec, status }] of host.stored) {
          const hasAll =
            JSON.stringify(status?.acceptedNames?.kind) === JSON.stringify(spec.names.kind) && host.conditions(name).includes(accepted);
          expect(host.served.has(name)).toBe(hasAll);
        }
      }),
      { numRuns },
    );
  });
});
