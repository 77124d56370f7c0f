/** An informer created and run elsewhere, as a source. For informers shared through `cluster.informers` use `kindSource`. */
import type { InformerRequest, InformerState, InformerView } from "@drover/cache";
import type { Kind, KubeObject } from "@drover/machinery";
import { selfHandler } from "../handlers/self-handler.ts";
import { followInformer } from "./follow-informer.ts";
import { printKind } from "./kind-source.ts";
import type { KindSource, KindSourceOptions } from "./kind-source.ts";

/** An informer that may report its state, as those of `createInformer` do. */
export type SharedInformerView<T extends KubeObject> = InformerView<T> & { state?(): InformerState };

/** Options of `informerSource`. */
export interface InformerSourceOptions<T extends KubeObject> extends Pick<
  KindSourceOptions<T>,
  "cluster" | "handler" | "predicates" | "resyncMs" | "name"
> {
  /** Kind of its objects, for causes and names. */
  readonly kind: Kind<T>;
  /** Which objects of the kind it holds, so that no run waits for a write that it will never show. @default all objects */
  readonly request?: InformerRequest<T>;
  /** States of the informers behind it, to explain why a controller waits. @default the informer's own state, if it reports one */
  readonly states?: () => readonly InformerState[];
}

/**
 * Returns a source over an informer that it does not own: stopping the source leaves the informer running. Rejects if the informer ends
 * before it has synced.
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
