/**
 * Apply sets compared with a model: random sets one after the other, interference by others, a server that refuses
 * requests and loses answers, a process that dies between any two requests. In every case no foreign object is written
 * or deleted, the wanted set is applied, and then no request follows.
 */
import { createHash } from "node:crypto";
import { ConfigMap, Secret, ServiceAccount } from "@drover/api/core/v1";
import { createApiServer } from "@drover/apiserver";
import type { ApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { createClient } from "@drover/client";
import type { DynamicClient, Unstructured } from "@drover/client";
import { isNotFound } from "@drover/machinery";
import type { HttpRequest, Kind, Transport } from "@drover/machinery";
import { ApplySetError, apply, createApplyMemory, ForeignOwnerError, setLabel } from "../index.ts";
import type { ApplyMemory, ApplySet, DesiredObject, SetOwner } from "../index.ts";
import { nodeRuntime } from "drover";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CrashError, faultyTransport } from "./testing/apply-set-faults.ts";
import type { Fault } from "./testing/apply-set-faults.ts";
import { applyScene, requestWords } from "./apply-set-scene.ts";
import type { ApplyScene } from "./apply-set-scene.ts";

const kinds: readonly Kind[] = [ConfigMap, Secret, ServiceAccount];
const names = ["a", "b", "c"] as const;
const otherUid = "11111111-2222-3333-4444-555555555555";

type Meddling = "add field" | "change ours" | "delete" | "put foreign" | "unlabel" | "relabel" | "take away" | "hold" | "let go";
interface Target {
  readonly kind: number;
  readonly name: (typeof names)[number];
}
interface Step {
  /** The wanted objects and their values; undefined omits the field. */
  readonly wanted: readonly (Target & { readonly value: number | undefined })[];
  readonly meddling: readonly (Target & { readonly what: Meddling })[];
  readonly faults: readonly Fault[];
  /** Whether the members come from a cache that has not seen the previous step. */
  readonly isCached: boolean;
  /** Whether the owner does. */
  readonly isOwnerOld: boolean;
}

const target = { kind: fc.nat({ max: kinds.length - 1 }), name: fc.constantFrom(...names) };
const fault = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Fault>("none") },
  { weight: 3, arbitrary: fc.constantFrom<Fault>(409, 429, 500, "lost answer", "crash") },
);
const step = fc.record<Step>({
  wanted: fc.uniqueArray(fc.record({ ...target, value: fc.option(fc.nat({ max: 2 }), { nil: undefined }) }), {
    maxLength: 4,
    selector: ({ kind, name }) => `${kind}/${name}`,
  }),
  meddling: fc.array(
    fc.record({
      ...target,
      what: fc.constantFrom<Meddling>("add field", "change ours", "delete", "put foreign", "unlabel", "relabel", "take away", "hold"),
    }),
    { maxLength: 3 },
  ),
  faults: fc.array(fault, { maxLength: 12 }),
  isCached: fc.boolean(),
  isOwnerOld: fc.boolean(),
});
const modes = fc.record<Pick<ApplySet, "method" | "reference">>({
  method: fc.constantFrom("server-side" as const, "server-side" as const, "three-way" as const),
  reference: fc.constantFrom("controller" as const, "owner" as const, "label" as const),
});

describe("apply sets under random interference and faults", () => {
  let server: ApiServer;
  let transport: Transport;
  let count = 0;
  const runtime = nodeRuntime({ write: () => undefined });
  beforeAll(async () => {
    server = await createApiServer({ runtime, host: nodeHost });
    transport = server.handle;
  });
  afterAll(() => server.close());

  const { numRuns = 200 } = fc.readConfigureGlobal();
  const runs = numRuns > 1000 ? Math.min(numRuns, 10_000) : numRuns / 4;
  it("are applied, touch no foreign object, and then send nothing", { timeout: 900_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(modes, fc.array(step, { minLength: 1, maxLength: 3 }), async (mode, steps) => {
        const world = await makeWorld(transport, `model-${count++}`, { name: "model", ...mode });
        for (const [index, each] of steps.entries()) await world.play(each, steps[index + 1]?.isCached === true);
        await world.finish(
          steps.at(-1)?.wanted ?? [],
          steps.flatMap(({ meddling }) => meddling),
        );
      }),
      { numRuns: runs },
    );
  });

  async function makeWorld(to: Transport, namespace: string, set: ApplySet): Promise<World> {
    const scene = await applyScene(to, runtime, namespace);
    return new World(to, scene, set, await scene.owner());
  }

  class World {
    readonly #to: Transport;
    readonly #scene: ApplyScene;
    readonly #set: ApplySet;
    readonly #id: string;
    readonly #uid: string;
    #memory: ApplyMemory = createApplyMemory();
    #owner: SetOwner;
    /** The state of a cache that has not seen the last apply. */
    #behind: ReadonlyMap<string, readonly Unstructured[]> | undefined;

    constructor(to: Transport, scene: ApplyScene, set: ApplySet, owner: SetOwner) {
      this.#to = to;
      this.#scene = scene;
      this.#set = set;
      this.#owner = owner;
      this.#uid = owner.object.metadata.uid ?? "";
      // Written out a second time, so that a change of the label is noticed: it would strand every existing member.
      this.#id = createHash("sha256")
        .update(JSON.stringify([set.name, "", "ConfigMap", scene.namespace, "owner"]))
        .digest("hex")
        .slice(0, 32);
    }

    async play({ wanted, meddling, faults, isCached, isOwnerOld }: Step, isNextCached: boolean): Promise<void> {
      const cache = isCached ? this.#behind : undefined;
      this.#behind = isNextCached ? await this.#members() : undefined;
      for (const each of meddling) await this.#meddle(each);
      if (!isOwnerOld) this.#owner = await this.#scene.owner();
      const client = createClient({
        transport: faultyTransport(this.#to, faults, (request) => this.#witness(request)),
        clock: runtime.clock,
        log: runtime.log,
        namespace: this.#scene.namespace,
      });
      for (let tries = 0; tries < 3; tries++) {
        try {
          await apply(
            this.#set,
            this.#owner,
            desiredOf(wanted),
            this.#scene.context({
              client,
              memory: this.#memory,
              ...(cache === undefined ? {} : { members: (kind: Kind) => cache.get(kind.kind) }),
            }),
          );
          return;
        } catch (error) {
          if (!(error instanceof Error)) throw error;
          // Only the memory dies with the process; a new one reads everything again.
          if (!isCrash(error)) continue;
          this.#memory = createApplyMemory();
          this.#owner = await this.#scene.owner();
          this.#behind = undefined;
          return;
        }
      }
    }

    /**
     * Without interference and faults the set is applied, except where foreign objects are in the way; and when those
     * are removed, completely.
     */
    async finish(wanted: Step["wanted"], meddling: Step["meddling"]): Promise<void> {
      for (const { kind, name, what } of meddling) if (what === "hold") await this.#meddle({ kind, name, what: "let go" });
      await this.#converge(wanted);
      // An object that lost its label has been released: it is not pruned. Objects of others stay theirs.
      if (meddling.length > 0) {
        for (const object of await this.#everything())
          if (!(this.#isOurs(object) && object.metadata.labels?.[setLabel] === this.#id))
            await this.#verbs(object.kind ?? "").delete(object.name);
        await this.#converge(wanted);
      }
      const here = await this.#everything();
      const keyOf = ({ kind, name }: { readonly kind?: string; readonly name: string }): string => `${kind ?? ""} ${name}`;
      expect(here.map(keyOf).toSorted()).toEqual(wanted.map(({ kind, name }) => keyOf({ kind: kinds[kind]?.kind ?? "", name })).toSorted());
      for (const { kind, name, value } of wanted) {
        const object = here.find((each) => each.kind === kinds[kind]?.kind && each.name === name);
        expect(object?.metadata.labels).toMatchObject({ [setLabel]: this.#id });
        // Where we set nothing, others may: their fields stay.
        const isTheirs =
          value === undefined && meddling.some((each) => each.kind === kind && each.name === name && each.what === "change ours");
        expect(isTheirs ? [undefined, "drift"] : [value === undefined ? undefined : String(value)]).toContain(
          object?.metadata.annotations?.["example.com/value"],
        );
      }
      await this.#isSilent(wanted);
    }

    /** Foreign objects in the way fail, and everything else succeeds. */
    async #converge(wanted: Step["wanted"]): Promise<void> {
      const client = createClient({
        transport: faultyTransport(this.#to, [], (request) => this.#witness(request)),
        clock: runtime.clock,
        log: runtime.log,
        namespace: this.#scene.namespace,
      });
      for (let tries = 0; ; tries++) {
        this.#owner = await this.#scene.owner();
        try {
          const { isSettled } = await apply(
            this.#set,
            this.#owner,
            desiredOf(wanted),
            this.#scene.context({ client, memory: this.#memory }),
          );
          if (isSettled) return;
        } catch (error) {
          if (!(error instanceof ApplySetError) || !error.errors.every((each) => each instanceof ForeignOwnerError)) throw error;
          return;
        }
        expect(tries).toBeLessThan(5);
      }
    }

    /** Even a process without memory sends nothing. */
    async #isSilent(wanted: Step["wanted"]): Promise<void> {
      this.#scene.sent();
      const { isSettled } = await apply(
        this.#set,
        await this.#scene.owner(),
        desiredOf(wanted),
        this.#scene.context({ memory: createApplyMemory() }),
      );
      expect([isSettled, this.#scene.sent()]).toEqual([true, []]);
    }

    /** Checks every request to the server: the object it writes must be ours at that moment, or not exist. */
    async #witness(request: HttpRequest): Promise<void> {
      if (request.method === "GET" || request.method === "POST") return;
      const [place = ""] = request.path.split("?");
      const answer = await this.#to({ method: "GET", path: place, headers: {} });
      if (answer.status === 404 || place.endsWith("/configmaps/owner")) return;
      const object = JSON.parse(answer.body as string) as Unstructured;
      const isCreation = typeof request.body === "string" && request.body.includes('"resourceVersion":"1"');
      // A request that is certain to be refused does no harm: it names the object's uid or version.
      if (isCreation || !namesIt(request, object)) return;
      expect([requestWords(request), this.#isOurs({ ...object, name: object.metadata.name ?? "" })]).toEqual([requestWords(request), true]);
    }

    /** Objects that may be written: those with our label, reference or annotations that no one else controls. */
    #isOurs({
      metadata: { labels = {}, annotations = {}, ownerReferences = [] },
    }: Pick<Unstructured, "metadata"> & { readonly name: string }): boolean {
      const controller = ownerReferences.find((reference) => reference.controller === true);
      if (controller !== undefined && controller.uid !== this.#uid) return false;
      const label = labels[setLabel];
      if (label !== undefined) return label === this.#id;
      return (
        controller !== undefined ||
        (annotations["drover.dev/set-name"] === "model" && annotations["drover.dev/owner"] === `ConfigMap ${this.#scene.namespace}/owner`)
      );
    }

    async #meddle({ kind, name, what }: Target & { readonly what: Meddling }): Promise<void> {
      const verbs = this.#scene.others.dynamic(kinds[kind] ?? ConfigMap);
      const merge = (body: object): Promise<unknown> => verbs.patch(name, { type: "merge", body });
      const taken = { ownerReferences: [{ apiVersion: "apps/v1", kind: "Deployment", name: "other", uid: otherUid, controller: true }] };
      const does: Readonly<Record<Meddling, () => Promise<unknown>>> = {
        "add field": () => merge({ metadata: { annotations: { "example.com/theirs": "x" } } }),
        "change ours": () => merge({ metadata: { annotations: { "example.com/value": "drift" } } }),
        delete: () => verbs.delete(name),
        "put foreign": () => verbs.create({ metadata: { name, ...taken } }),
        unlabel: () => merge({ metadata: { labels: { [setLabel]: null } } }),
        relabel: () => merge({ metadata: { labels: { [setLabel]: "somebody" } } }),
        "take away": () => merge({ metadata: taken }),
        hold: () => merge({ metadata: { finalizers: ["example.com/hold"] } }),
        "let go": () => merge({ metadata: { finalizers: null } }),
      };
      // Only existing objects can be changed by others, and only missing ones created.
      await does[what]().catch(() => undefined);
    }

    #verbs(kind: string): DynamicClient {
      return this.#scene.others.dynamic(kinds.find((each) => each.kind === kind) ?? ConfigMap);
    }

    async #members(): Promise<ReadonlyMap<string, readonly Unstructured[]>> {
      const lists = await Promise.all(
        kinds.map(
          async (kind) =>
            [kind.kind, (await this.#scene.others.dynamic(kind).list({ labelSelector: `${setLabel}=${this.#id}` })).items] as const,
        ),
      );
      return new Map(lists);
    }

    async #everything(): Promise<readonly (Unstructured & { readonly name: string })[]> {
      const lists = await Promise.all(kinds.map((kind) => this.#scene.others.dynamic(kind).list()));
      return lists
        .flatMap(({ items }) => items)
        .map((object) => ({ ...object, name: object.metadata.name ?? "" }))
        .filter(({ name }) => name.length === 1);
    }
  }
});

const desiredOf = (wanted: Step["wanted"]): readonly DesiredObject[] =>
  wanted.map(({ kind, name, value }) => ({
    kind: kinds[kind] ?? ConfigMap,
    object: { metadata: { name, ...(value === undefined ? {} : { annotations: { "example.com/value": String(value) } }) } },
  }));

/** Whether the request is bound to the current object by its uid or version. One without either applies to any object. */
function namesIt({ body }: HttpRequest, { metadata }: Unstructured): boolean {
  const text = typeof body === "string" ? body : "";
  const says = (field: string): string | undefined =>
    new RegExp(`"${field}":"([^"]*)"`).exec(text.replace(/"ownerReferences":\[[^\]]*\]/g, ""))?.[1];
  const [uid, version] = [says("uid"), says("resourceVersion")];
  return (uid === undefined || uid === metadata.uid) && (version === undefined || version === metadata.resourceVersion);
}

function isCrash(error: Error): boolean {
  if (error instanceof CrashError || isNotFound(error)) return error instanceof CrashError;
  const inside = [error.cause, ...(error instanceof AggregateError ? (error.errors as unknown[]) : [])];
  return inside.some((each) => each instanceof Error && isCrash(each));
}
