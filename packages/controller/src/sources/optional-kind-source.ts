/**
 * A kind that need not be there: watched while its CustomResourceDefinition is established and serves the version, and
 * left alone otherwise.
 *
 *     CustomResourceDefinition comes → kindSource runs;   goes, or is another one → it is stopped, and begins anew
 */
import { findKind } from "@drover/api";
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import type { Deleted, InformerView } from "@drover/cache";
import { Group, isStatusConditionTrue, objectKey, objectKeyOf, printGroupResource } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";
import { selfHandler } from "../handlers/self-handler.ts";
import { needOf } from "../permissions/permission-need.ts";
import { tellChange } from "./follow-informer.ts";
import { kindSource } from "./kind-source.ts";
import type { KindSource, KindSourceOptions, Projected, Projection } from "./kind-source.ts";
import { countSteps } from "./slices.ts";
import type { SourceSink } from "./source.ts";
import { untilAborted } from "./until-aborted.ts";

/**
 * Watches a kind that may come and go. Built-in kinds are simply watched; one of an aggregated API has no definition and is never seen:
 * watch it with `kindSource`.
 *
 * Guarantees: it has synced when the kind is known to be absent, or when what there is of it has been asked for; a definition that comes
 * back, also under another uid between two looks, has everything told anew; objects that vanish with their definition are told as
 * deleted. Needs the verbs list and watch on customresourcedefinitions, and says so while it has not.
 */
export function optionalKindSource<T extends KubeObject, P extends Projection = "full">(
  kind: Kind<T>,
  options: KindSourceOptions<T, P>,
): KindSource<Projected<T, P>> {
  const source = kindSource<T, P>(kind, options);
  if (findKind(kind) !== undefined) return source;
  return {
    name: source.name,
    needs: [...source.needs, needOf(CustomResourceDefinition, ["list", "watch"], { cluster: options.cluster.name })],
    get informer() {
      return source.informer;
    },
    run: (sink, signal) => new OptionalKind(kind, source, options, sink).run(signal),
  };
}

/** What a source says it waits for. */
type Trouble = Parameters<SourceSink["waitingFor"]>[0];
const inWords = (trouble: Trouble): string | undefined => (typeof trouble === "function" ? trouble() : trouble);

/** One life of the source, from `run` to the abort. */
class OptionalKind<T extends KubeObject, P extends Projection> {
  readonly #kind: Kind<T>;
  readonly #source: KindSource<Projected<T, P>>;
  readonly #options: KindSourceOptions<T, P>;
  readonly #sink: SourceSink;
  readonly #definitionName: string;
  readonly #definitions: KindSource<CustomResourceDefinition>;
  /** The definition changed. */
  #look: () => void = () => undefined;
  #isDefinitionKnown = false;
  #definitionTrouble: Trouble;
  #kindTrouble: Trouble;
  /** The cache of the last life; it can be read when that is over. */
  #informer: InformerView<Projected<T, P>> | undefined;

  constructor(kind: Kind<T>, source: KindSource<Projected<T, P>>, options: KindSourceOptions<T, P>, sink: SourceSink) {
    this.#kind = kind;
    this.#source = source;
    this.#options = options;
    this.#sink = sink;
    this.#definitionName = printGroupResource({ group: kind.group, resource: kind.plural });
    this.#definitions = kindSource(CustomResourceDefinition, {
      cluster: options.cluster,
      writers: false,
      request: { fieldSelector: `metadata.name=${this.#definitionName}` },
      name: `${source.name}: its definition`,
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#sink.waitingFor(() => this.#account());
    const group = new Group({ signal });
    group.spawn("definition", (stopping) => this.#definitions.run(this.#definitionSink(), stopping));
    group.spawn("kind", (stopping) => this.#follow(stopping));
    await group.done();
  }

  #definitionSink(): SourceSink {
    return {
      request: () => this.#look(),
      synced: () => {
        this.#isDefinitionKnown = true;
        if (this.#servedUid() === undefined) this.#sink.synced();
      },
      waitingFor: (why) => {
        this.#definitionTrouble = why;
      },
    };
  }

  /** One life after the other: with the kind, without it, with another of the same name. */
  async #follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const uid = this.#servedUid();
      const life = new Group({ signal });
      this.#look = () => {
        if (this.#servedUid() !== uid) life.abort();
      };
      life.spawn(this.#source.name, (stopping) => (uid === undefined ? this.#wait(stopping) : this.#watch(uid, stopping)));
      await life.done();
      if (uid !== undefined && !signal.aborted) await this.#left(uid, signal);
    }
  }

  async #wait(signal: AbortSignal): Promise<void> {
    this.#kindTrouble = undefined;
    if (this.#isDefinitionKnown) this.#sink.synced();
    await untilAborted(signal);
  }

  async #watch(uid: string, signal: AbortSignal): Promise<void> {
    this.#options.cluster.runtime.log.info("an optional kind is served; it is watched from now on", {
      source: this.#source.name,
      definition: uid,
    });
    const watching = this.#source.run(
      {
        request: (key, request) => this.#sink.request(key, request),
        synced: () => this.#sink.synced(),
        waitingFor: (why) => {
          this.#kindTrouble = why;
        },
      },
      signal,
    );
    this.#informer = this.#source.informer;
    await watching;
  }

  /** With a definition all its objects go. Those whose end was not seen before the watch ended are told now: nobody else will. */
  async #left(uid: string, signal: AbortSignal): Promise<void> {
    const { handler = selfHandler, predicates = [], cluster } = this.#options;
    const { clock, log } = cluster.runtime;
    const source = this.#source.name;
    log.info("an optional kind is not served any more; it is left alone until it comes back", { source, definition: uid });
    if (this.#definition()?.metadata.uid === uid) return;
    const step = countSteps(clock);
    for (const object of this.#informer?.list() ?? []) {
      const change: Deleted<Projected<T, P>> = {
        type: "deleted",
        key: objectKeyOf(object),
        uid: object.metadata.uid ?? "",
        object,
        isFinalStateUnknown: true,
      };
      try {
        await tellChange(
          change,
          { kind: { group: this.#kind.group, kind: this.#kind.kind }, cluster, handler, predicates },
          this.#sink,
          signal,
        );
      } catch (error) {
        log.error("a handler failed on an object that went with its definition; the change is given up", {
          source,
          key: change.key,
          error,
        });
      }
      await step();
    }
  }

  #account(): string | undefined {
    const unknown = inWords(this.#definitionTrouble);
    return unknown === undefined ? inWords(this.#kindTrouble) : `whether ${this.#definitionName} is served is not known: ${unknown}`;
  }

  #definition(): DeepReadonly<CustomResourceDefinition> | undefined {
    return this.#definitions.informer?.get(objectKey(this.#definitionName));
  }

  /** The definition's uid, while it is established and serves our version. */
  #servedUid(): string | undefined {
    const definition = this.#definition();
    const isServed = definition?.spec.versions.some(({ name, served }) => served && name === this.#kind.version) === true;
    return isServed && isStatusConditionTrue(definition.status?.conditions, "Established") ? definition.metadata.uid : undefined;
  }
}
