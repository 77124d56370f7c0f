/**
 * Functions of client-go that need a clock, files or sockets, with the real ones as defaults: as in Go,
 * `newRateLimitingQueue(defaultControllerRateLimiter())` needs nothing else. Arguments override the defaults.
 */
import * as clientGo from "@drover/client-go";
import type { ListerWatcher } from "@drover/cache";
import { clusterTransport, nodeTransport } from "@drover/client";
import type { Kubeconfig, KubeconfigOverrides } from "@drover/client";
import type { Clock, KubeObject, Runtime } from "@drover/machinery";
import { isKeyPair } from "./key-pair.ts";
import { nodeHost } from "./node-host.ts";
import { nodeRuntime } from "./node-runtime.ts";
import { defaultUserAgent } from "./program-name.ts";

/** Options with optional clock and runtime. */
export type WithDefaults<O> = Omit<O, "clock" | "runtime"> & { readonly clock?: Clock; readonly runtime?: Runtime };

const place = realPlace();
const timed = (): Pick<Runtime, "clock"> => ({ clock: place.runtime.clock });
const running = (): { readonly runtime: Runtime } => ({ runtime: place.runtime });

// util/workqueue

export function newQueue<K = string>(options: WithDefaults<clientGo.ClassicQueueOptions<K>> = {}): clientGo.Interface<K> {
  return clientGo.newQueue<K>({ ...timed(), ...options });
}

export function newDelayingQueue<K = string>(options: WithDefaults<clientGo.DelayingQueueOptions<K>> = {}): clientGo.DelayingInterface<K> {
  return clientGo.newDelayingQueue<K>({ ...timed(), ...options });
}

export function newRateLimitingQueue<K = string>(
  rateLimiter: clientGo.RateLimiter<NoInfer<K>>,
  options: WithDefaults<clientGo.RateLimitingQueueOptions<K>> = {},
): clientGo.RateLimitingInterface<K> {
  return clientGo.newRateLimitingQueue<K>(rateLimiter, { ...timed(), ...options });
}

export function newNamedRateLimitingQueue<K = string>(
  rateLimiter: clientGo.RateLimiter<NoInfer<K>>,
  name: string,
  options: WithDefaults<Omit<clientGo.RateLimitingQueueOptions<K>, "name">> = {},
): clientGo.RateLimitingInterface<K> {
  return clientGo.newNamedRateLimitingQueue<K>(rateLimiter, name, { ...timed(), ...options });
}

export function defaultControllerRateLimiter<K = string>(options: { readonly clock?: Clock } = {}): clientGo.RateLimiter<K> {
  return clientGo.defaultControllerRateLimiter<K>({ ...timed(), ...options });
}

export function bucketRateLimiter<K = string>(
  qps: number,
  burst: number,
  options: { readonly clock?: Clock } = {},
): clientGo.RateLimiter<K> {
  return clientGo.bucketRateLimiter<K>(qps, burst, { ...timed(), ...options });
}

// tools/cache

export function newSharedIndexInformer<T extends KubeObject>(
  listerWatcher: ListerWatcher<T>,
  options: WithDefaults<clientGo.SharedIndexInformerOptions<T>> = {},
): clientGo.SharedIndexInformer<T> {
  return clientGo.newSharedIndexInformer(listerWatcher, { ...running(), ...options });
}

export function newSharedInformer<T extends KubeObject>(
  listerWatcher: ListerWatcher<T>,
  options: WithDefaults<Omit<clientGo.SharedIndexInformerOptions<T>, "indexers">> = {},
): clientGo.SharedInformer<T> {
  return clientGo.newSharedInformer(listerWatcher, { ...running(), ...options });
}

export function newInformer<T extends KubeObject>(
  listerWatcher: ListerWatcher<T>,
  options: WithDefaults<clientGo.ClassicInformerOptions<T>>,
): ReturnType<typeof clientGo.newInformer<T>> {
  return clientGo.newInformer<T>(listerWatcher, { ...running(), ...options });
}

export function newIndexerInformer<T extends KubeObject>(
  listerWatcher: ListerWatcher<T>,
  indexers: clientGo.Indexers<T>,
  options: WithDefaults<clientGo.ClassicInformerOptions<T>>,
): ReturnType<typeof clientGo.newIndexerInformer<T>> {
  return clientGo.newIndexerInformer<T>(listerWatcher, indexers, { ...running(), ...options });
}

export function newReflector<T extends KubeObject>(
  listerWatcher: ListerWatcher<T>,
  store: clientGo.Store<T, unknown>,
  options: WithDefaults<clientGo.NamedReflectorOptions<T>> = {},
): clientGo.Reflector {
  return clientGo.newReflector(listerWatcher, store, { ...running(), ...options });
}

export function newNamedReflector<T extends KubeObject>(
  name: string,
  listerWatcher: ListerWatcher<T>,
  store: clientGo.Store<T, unknown>,
  options: WithDefaults<clientGo.NamedReflectorOptions<T>> = {},
): clientGo.Reflector {
  return clientGo.newNamedReflector(name, listerWatcher, store, { ...running(), ...options });
}

export function newController<T extends KubeObject>(config: WithDefaults<clientGo.Config<T>>): clientGo.Controller {
  return clientGo.newController({ ...running(), ...config });
}

export function newTTLStore<T>(keyFunc: clientGo.KeyFunc<T>, ttlMs: number, clock?: Clock): clientGo.ExpirationCache<T> {
  return clientGo.newTTLStore(keyFunc, ttlMs, clock ?? place.runtime.clock);
}

export function waitForCacheSync(
  options: AbortSignal | { readonly clock?: Clock; readonly signal: AbortSignal },
  ...caches: readonly clientGo.Syncing[]
): Promise<boolean> {
  const given = options instanceof AbortSignal ? { signal: options } : options;
  return clientGo.waitForCacheSync({ ...timed(), ...given }, ...caches);
}

// rest, clientcmd, kubernetes

export function restClientFor(config: clientGo.RestConfig): clientGo.RestClient {
  return clientGo.restClientFor(config, place);
}

export function inClusterConfig(): Promise<clientGo.RestConfig> {
  return clientGo.inClusterConfig(place);
}

export function newForConfig(config: clientGo.RestConfig | clientGo.ClusterOwner): clientGo.Clientset {
  return clientGo.newForConfig(config, place);
}

export function buildConfigFromFlags(masterUrl: string, kubeconfigPath: string): Promise<clientGo.RestConfig> {
  return clientGo.buildConfigFromFlags(masterUrl, kubeconfigPath, place);
}

export function newNonInteractiveDeferredLoadingClientConfig(
  rules: clientGo.ClientConfigLoadingRules,
  overrides: KubeconfigOverrides = {},
): clientGo.ClientConfig {
  return clientGo.newNonInteractiveDeferredLoadingClientConfig(rules, overrides, place);
}

export function newDefaultClientConfig(config: Kubeconfig, overrides: KubeconfigOverrides = {}): clientGo.ClientConfig {
  return clientGo.newDefaultClientConfig(config, overrides, place);
}

export function newClientConfigFromBytes(text: string | Uint8Array): clientGo.ClientConfig {
  return clientGo.newClientConfigFromBytes(text, place);
}

export function restConfigFromKubeConfig(text: string | Uint8Array): Promise<clientGo.RestConfig> {
  return clientGo.restConfigFromKubeConfig(text, place);
}

export function loadFromFile(path: string): Promise<Kubeconfig> {
  return clientGo.loadFromFile(path, place);
}

/** Created on first use and then shared, so that there is one metrics registry. */
function realPlace(): clientGo.ClientGoPlace {
  let runtime: Runtime | undefined;
  let host: clientGo.ClientGoPlace["host"] | undefined;
  const made: clientGo.ClientGoPlace = {
    get runtime() {
      return (runtime ??= nodeRuntime());
    },
    get host() {
      return (host ??= nodeHost());
    },
    transportFor: ({ access, userAgent = defaultUserAgent() }) =>
      clusterTransport(access, { ...made.runtime, host: made.host, isPair: isKeyPair, connect: nodeTransport, userAgent }),
  };
  return made;
}
