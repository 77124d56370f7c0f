/**
 * client-go's tools/cache, util/workqueue, rest, clientcmd, informers and kubernetes under their Go names.
 * packages/client-go/src/index.ts lists them; the functions below have defaults for clock, files and sockets.
 */
export * from "@drover/client-go";
export {
  bucketRateLimiter,
  buildConfigFromFlags,
  defaultControllerRateLimiter,
  inClusterConfig,
  loadFromFile,
  newClientConfigFromBytes,
  newController,
  newDefaultClientConfig,
  newDelayingQueue,
  newForConfig,
  newIndexerInformer,
  newInformer,
  newNamedRateLimitingQueue,
  newNamedReflector,
  newNonInteractiveDeferredLoadingClientConfig,
  newQueue,
  newRateLimitingQueue,
  newReflector,
  newSharedIndexInformer,
  newSharedInformer,
  newTTLStore,
  restClientFor,
  restConfigFromKubeConfig,
  waitForCacheSync,
} from "./client-go-defaults.ts";
export type { WithDefaults } from "./client-go-defaults.ts";
