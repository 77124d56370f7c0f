/** An informer that somebody else made and runs, as a source. What is shared through `cluster.informers` is watched with `kindSource`. */
import type { InformerRequest, InformerState, InformerView } from "@drover/cache";
import type { Kind, KubeObject } from "@drover/machinery";
import { selfHandler } from "../handlers/self-handler.ts";
import { followInformer } from "./follow-informer.ts";
import { printKind } from "./kind-source.ts";
import type { KindSource, KindSourceOptions } from "./kind-source.ts";

/** An informer, which may be able to say how it is doing: those that are made with `createInformer` are. */
export type SharedInformerView<T extends KubeObject> = InformerView<T> & { state?(): InformerState };

export interface InformerSourceOptions<T extends KubeObject> extends Pick<
  KindSourceOptions<T>,
  "cluster" | "handler" | "predicates" | "resyncMs" | "name"
> {
  /** What it holds, for causes and names. */
  readonly kind: Kind<T>;
  /** What the informer holds of the kind, so that nobody waits for it to show a write that it will never show. @default all of it */
  readonly request?: InformerRequest<T>;
  /** The state of the informers behind it, for the reason why a controller waits. @default the informer's own, if it has one */
  readonly states?: () => readonly InformerState[];
}

/**
 * Watches an informer without owning it: the informer goes on when the source is stopped. Rejects when the informer
 * ends before it has synced.
 */
export function informerSource<T extends KubeObject>(informer: SharedInformerView<T>, options: InformerSourceOptions<T>): KindSource<T> {
  const { kind, handler = selfHandler, predicates = [], resyncMs = 0, request = {}, name = printKind(kind), cluster } = options;
  const { states = () => (informer.state === undefined ? [] : [informer.state()]) } = options;
  return {
    name,
    needs: [],
    informer,
    run: (sink, signal) => followInformer(informer, { name, kind, cluster, handler, predicates, resyncMs, request, states }, sink, signal),
  };
}
