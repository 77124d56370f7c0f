/**
 * Watches a kind that may be absent: only while its CustomResourceDefinition is established and serves the version.
 *
 *     CustomResourceDefinition appears → kindSource runs;   is deleted or replaced → it stops, and starts again
 */
import { findKind } from "@drover/api";
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import type { Deleted, InformerView } from "@drover/cache";
import { definedOnly, Group, isStatusConditionTrue, objectKey, objectKeyOf, printGroupResource } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";
import { selfHandler } from "../handlers/self-handler.ts";
import { needOf } from "../permissions/permission-need.ts";
import { handleChange } from "./follow-informer.ts";
import { kindSource } from "./kind-source.ts";
import type { KindSource, KindSourceOptions, Projected, Projection } from "./kind-source.ts";
import { countSteps } from "./slices.ts";
import type { SourceSink } from "./source.ts";
import { untilAborted } from "./until-aborted.ts";

/**
 * Returns a source for a kind that may appear and disappear. Built-in kinds are watched as usual. Kinds of aggregated APIs have no
 * definition and would never be seen: watch them with `kindSource`.
 *
 * Guarantees: it has synced when the kind is known to be absent, or when all its objects were requested. When a definition is deleted and
 * created again, even unnoticed (recognised by its uid), all objects are requested again. Objects that vanish with their definition are
 * reported as deleted. Needs list and watch on customresourcedefinitions, and reports so while it lacks them.
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

/** Argument of `waitingFor`. */
type Trouble = Parameters<SourceSink["waitingFor"]>[0];
const inWords = (trouble: Trouble): string | undefined => (typeof trouble === "function" ? trouble() : trouble);

/** One run of the source. */
class OptionalKind<T extends KubeObject, P extends Projection> {
  readonly #kind: Kind<T>;
  readonly #source: KindSource<Projected<T, P>>;
  readonly #options: KindSourceOptions<T, P>;
  readonly #sink: SourceSink;
  readonly #definitionName: string;
  readonly #definitions: KindSource<CustomResourceDefinition>;
  /** Called when the definition changed. */
  #look: () => void = () => undefined;
  #isDefinitionKnown = false;
  /** Whether the log says what was found first. */
  #hasLogged = false;
  #definitionTrouble: Trouble;
  #kindTrouble: Trouble;
  /** Informer of the latest watch; readable after the watch has ended. */
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
        if (this.#servedUid() === undefined) this.#absent();
      },
      waitingFor: (why) => {
        this.#definitionTrouble = why;
      },
    };
  }

  /** Watches one definition after the other, and waits while there is none. */
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
    if (this.#isDefinitionKnown) this.#absent();
    await untilAborted(signal);
  }

  /** Logged once; `#left` logs every later absence. */
  #absent(): void {
    if (!this.#hasLogged)
      this.#options.cluster.runtime.log.info("optional kind is not served, waiting for its definition", {
        source: this.#source.name,
        definition: this.#definitionName,
      });
    this.#hasLogged = true;
    this.#sink.synced();
  }

  async #watch(uid: string, signal: AbortSignal): Promise<void> {
    this.#hasLogged = true;
    this.#options.cluster.runtime.log.info("optional kind is served, watching it", {
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
        ...definedOnly({ replayWith: this.#sink.replayWith }),
      },
      signal,
    );
    this.#informer = this.#source.informer;
    await watching;
  }

  /** Reports objects that vanished with the definition as deleted, if the watch ended before it delivered their deletions. */
  async #left(uid: string, signal: AbortSignal): Promise<void> {
    const { handler = selfHandler, predicates = [], cluster } = this.#options;
    const { clock, log } = cluster.runtime;
    const source = this.#source.name;
    log.info("optional kind is no longer served, waiting for it to come back", { source, definition: uid });
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
        await handleChange(
          change,
          { kind: { group: this.#kind.group, kind: this.#kind.kind }, cluster, handler, predicates },
          this.#sink,
          signal,
        );
      } catch (error) {
        log.error("handler failed on an object deleted with its definition, dropping the change", {
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
    return unknown === undefined ? inWords(this.#kindTrouble) : `cannot tell whether ${this.#definitionName} is served: ${unknown}`;
  }

  #definition(): DeepReadonly<CustomResourceDefinition> | undefined {
    return this.#definitions.informer?.get(objectKey(this.#definitionName));
  }

  /** Returns the uid of the definition while it is established and serves our version. */
  #servedUid(): string | undefined {
    const definition = this.#definition();
    const isServed = definition?.spec.versions.some(({ name, served }) => served && name === this.#kind.version) === true;
    return isServed && isStatusConditionTrue(definition.status?.conditions, "Established") ? definition.metadata.uid : undefined;
  }
}
