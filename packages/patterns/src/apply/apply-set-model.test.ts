/**
 * Apply sets against a model: random sets one after the other, others who meddle, a server that refuses and loses
 * answers, a process that dies
 * between any two requests. Whatever happens: nothing that is not ours is written to or deleted, the wanted set comes
 * about, and then there is silence.
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
  /** What is wanted, and with which value; undefined leaves the field out. */
  readonly wanted: readonly (Target & { readonly value: number | undefined })[];
  readonly meddling: readonly (Target & { readonly what: Meddling })[];
  readonly faults: readonly Fault[];
  /** Whether the members come from a cache that has not heard of the step before. */
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

describe("apply sets, whatever happens", () => {
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
  it("come about, touch nothing of others, and are silent then", { timeout: 900_000 }, async () => {
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
    /** What a cache knows that has not heard of the last apply. */
    #behind: ReadonlyMap<string, readonly Unstructured[]> | undefined;

    constructor(to: Transport, scene: ApplyScene, set: ApplySet, owner: SetOwner) {
      this.#to = to;
      this.#scene = scene;
      this.#set = set;
      this.#owner = owner;
      this.#uid = owner.object.metadata.uid ?? "";
      // Told a second time, in words of its own, so that a change of the label is noticed: it would strand every member there is.
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
          // What dies with the process is its memory, and a new one reads everything anew.
          if (!isCrash(error)) continue;
          this.#memory = createApplyMemory();
          this.#owner = await this.#scene.owner();
          this.#behind = undefined;
          return;
        }
      }
    }

    /** Without meddling and faults: it comes about, but for what is not ours; and when that is out of the way, entirely. */
    async finish(wanted: Step["wanted"], meddling: Step["meddling"]): Promise<void> {
      for (const { kind, name, what } of meddling) if (what === "hold") await this.#meddle({ kind, name, what: "let go" });
      await this.#converge(wanted);
      // What has lost its label has been set free: nobody prunes it. What is in others' hands is theirs.
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
        // Where we say nothing, others may: what they have put there is theirs.
        const isTheirs =
          value === undefined && meddling.some((each) => each.kind === kind && each.name === name && each.what === "change ours");
        expect(isTheirs ? [undefined, "drift"] : [value === undefined ? undefined : String(value)]).toContain(
          object?.metadata.annotations?.["example.com/value"],
        );
      }
      await this.#isSilent(wanted);
    }

    /** Foreign objects in the way fail, and everything else does not. */
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

    /** Even a process that remembers nothing has nothing to say. */
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

    /** Stands at the door of the server: whatever is written to must be ours at that moment, or not be there at all. */
    async #witness(request: HttpRequest): Promise<void> {
      if (request.method === "GET" || request.method === "POST") return;
      const [place = ""] = request.path.split("?");
      const answer = await this.#to({ method: "GET", path: place, headers: {} });
      if (answer.status === 404 || place.endsWith("/configmaps/owner")) return;
      const object = JSON.parse(answer.body as string) as Unstructured;
      const isCreation = typeof request.body === "string" && request.body.includes('"resourceVersion":"1"');
      // A request of which it is known that it will be refused does no harm: it says which object or which version it means.
      if (isCreation || !namesIt(request, object)) return;
      expect([requestWords(request), this.#isOurs({ ...object, name: object.metadata.name ?? "" })]).toEqual([requestWords(request), true]);
    }

    /** What may be written to: has our label, our reference or our words, and is in nobody else's hands. */
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
      // Nobody can meddle with what is not there, nor put something where something is.
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

/** Whether the request means the very object that is there: by its uid or its version. One that names neither means whatever is there. */
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
