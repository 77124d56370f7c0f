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

/** `newQueue` of @drover/client-go on the system clock. */
export function newQueue<K = string>(options: WithDefaults<clientGo.ClassicQueueOptions<K>> = {}): clientGo.Interface<K> {
  return clientGo.newQueue<K>({ ...timed(), ...options });
}

/** `newDelayingQueue` of @drover/client-go on the system clock. */
export function newDelayingQueue<K = string>(options: WithDefaults<clientGo.DelayingQueueOptions<K>> = {}): clientGo.DelayingInterface<K> {
  return clientGo.newDelayingQueue<K>({ ...timed(), ...options });
}

/** `newRateLimitingQueue` of @drover/client-go on the system clock. */
export function newRateLimitingQueue<K = string>(
  rateLimiter: clientGo.RateLimiter<NoInfer<K>>,
  options: WithDefaults<clientGo.RateLimitingQueueOptions<K>> = {},
): clientGo.RateLimitingInterface<K> {
  return clientGo.newRateLimitingQueue<K>(rateLimiter, { ...timed(), ...options });
}

/** `newNamedRateLimitingQueue` of @drover/client-go on the system clock. */
export function newNamedRateLimitingQueue<K = string>(
  rateLimiter: clientGo.RateLimiter<NoInfer<K>>,
  name: string,
  options: WithDefaults<Omit<clientGo.RateLimitingQueueOptions<K>, "name">> = {},
): clientGo.RateLimitingInterface<K> {
  return clientGo.newNamedRateLimitingQueue<K>(rateLimiter, name, { ...timed(), ...options });
}

/** `defaultControllerRateLimiter` of @drover/client-go on the system clock. */
export function defaultControllerRateLimiter<K = string>(options: { readonly clock?: Clock } = {}): clientGo.RateLimiter<K> {
  return clientGo.defaultControllerRateLimiter<K>({ ...timed(), ...options });
}

/** `bucketRateLimiter` of @drover/client-go on the system clock. */
export function bucketRateLimiter<K = string>(
  qps: number,
  burst: number,
  options: { readonly clock?: Clock } = {},
): clientGo.RateLimiter<K> {
  return clientGo.bucketRateLimiter<K>(qps, burst, { ...timed(), ...options });
}

// tools/cache

/** `newSharedIndexInformer` of @drover/client-go on the system clock. */
export function newSharedIndexInformer<T extends KubeObject>(
  listerWatcher: ListerWatcher<T>,
  options: WithDefaults<clientGo.SharedIndexInformerOptions<T>> = {},
): clientGo.SharedIndexInformer<T> {
  return clientGo.newSharedIndexInformer(listerWatcher, { ...running(), ...options });
}

/** `newSharedInformer` of @drover/client-go on the system clock. */
export function newSharedInformer<T extends KubeObject>(
  listerWatcher: ListerWatcher<T>,
  options: WithDefaults<Omit<clientGo.SharedIndexInformerOptions<T>, "indexers">> = {},
): clientGo.SharedInformer<T> {
  return clientGo.newSharedInformer(listerWatcher, { ...running(), ...options });
}

/** `newInformer` of @drover/client-go on the system clock. */
export function newInformer<T extends KubeObject>(
  listerWatcher: ListerWatcher<T>,
  options: WithDefaults<clientGo.ClassicInformerOptions<T>>,
): ReturnType<typeof clientGo.newInformer<T>> {
  return clientGo.newInformer<T>(listerWatcher, { ...running(), ...options });
}

/** `newIndexerInformer` of @drover/client-go on the system clock. */
export function newIndexerInformer<T extends KubeObject>(
  listerWatcher: ListerWatcher<T>,
  indexers: clientGo.Indexers<T>,
  options: WithDefaults<clientGo.ClassicInformerOptions<T>>,
): ReturnType<typeof clientGo.newIndexerInformer<T>> {
  return clientGo.newIndexerInformer<T>(listerWatcher, indexers, { ...running(), ...options });
}

/** `newReflector` of @drover/client-go on the system clock. */
export function newReflector<T extends KubeObject>(
  listerWatcher: ListerWatcher<T>,
  store: clientGo.Store<T, unknown>,
  options: WithDefaults<clientGo.NamedReflectorOptions<T>> = {},
): clientGo.Reflector {
  return clientGo.newReflector(listerWatcher, store, { ...running(), ...options });
}

/** `newNamedReflector` of @drover/client-go on the system clock. */
export function newNamedReflector<T extends KubeObject>(
  name: string,
  listerWatcher: ListerWatcher<T>,
  store: clientGo.Store<T, unknown>,
  options: WithDefaults<clientGo.NamedReflectorOptions<T>> = {},
): clientGo.Reflector {
  return clientGo.newNamedReflector(name, listerWatcher, store, { ...running(), ...options });
}

/** `newController` of @drover/client-go on the system clock. */
export function newController<T extends KubeObject>(config: WithDefaults<clientGo.Config<T>>): clientGo.Controller {
  return clientGo.newController({ ...running(), ...config });
}

/** `newTTLStore` of @drover/client-go on the system clock. */
export function newTTLStore<T>(keyFunc: clientGo.KeyFunc<T>, ttlMs: number, clock?: Clock): clientGo.ExpirationCache<T> {
  return clientGo.newTTLStore(keyFunc, ttlMs, clock ?? place.runtime.clock);
}

/** `waitForCacheSync` of @drover/client-go on the system clock. */
export function waitForCacheSync(
  options: AbortSignal | { readonly clock?: Clock; readonly signal: AbortSignal },
  ...caches: readonly clientGo.Syncing[]
): Promise<boolean> {
  const given = options instanceof AbortSignal ? { signal: options } : options;
  return clientGo.waitForCacheSync({ ...timed(), ...given }, ...caches);
}

// rest, clientcmd, kubernetes

/** `restClientFor` of @drover/client-go with the files and sockets of this process. */
export function restClientFor(config: clientGo.RestConfig): clientGo.RestClient {
  return clientGo.restClientFor(config, place);
}

/** `inClusterConfig` of @drover/client-go with the files and sockets of this process. */
export function inClusterConfig(): Promise<clientGo.RestConfig> {
  return clientGo.inClusterConfig(place);
}

/** `newForConfig` of @drover/client-go with the files and sockets of this process. */
export function newForConfig(config: clientGo.RestConfig | clientGo.ClusterOwner): clientGo.Clientset {
  return clientGo.newForConfig(config, place);
}

/** `buildConfigFromFlags` of @drover/client-go with the files and sockets of this process. */
export function buildConfigFromFlags(masterUrl: string, kubeconfigPath: string): Promise<clientGo.RestConfig> {
  return clientGo.buildConfigFromFlags(masterUrl, kubeconfigPath, place);
}

/** `newNonInteractiveDeferredLoadingClientConfig` of @drover/client-go with the files and sockets of this process. */
export function newNonInteractiveDeferredLoadingClientConfig(
  rules: clientGo.ClientConfigLoadingRules,
  overrides: KubeconfigOverrides = {},
): clientGo.ClientConfig {
  return clientGo.newNonInteractiveDeferredLoadingClientConfig(rules, overrides, place);
}

/** `newDefaultClientConfig` of @drover/client-go with the files and sockets of this process. */
export function newDefaultClientConfig(config: Kubeconfig, overrides: KubeconfigOverrides = {}): clientGo.ClientConfig {
  return clientGo.newDefaultClientConfig(config, overrides, place);
}

/** `newClientConfigFromBytes` of @drover/client-go with the files and sockets of this process. */
export function newClientConfigFromBytes(text: string | Uint8Array): clientGo.ClientConfig {
  return clientGo.newClientConfigFromBytes(text, place);
}

/** `restConfigFromKubeConfig` of @drover/client-go with the files and sockets of this process. */
export function restConfigFromKubeConfig(text: string | Uint8Array): Promise<clientGo.RestConfig> {
  return clientGo.restConfigFromKubeConfig(text, place);
}

/** `loadFromFile` of @drover/client-go with the files and sockets of this process. */
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
