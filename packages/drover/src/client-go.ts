/**
 * client-go's tools/cache, util/workqueue, rest, clientcmd, informers and kubernetes under their Go names.
 * packages/client-go/src/index.ts lists them.
 */
export * from "@drover/client-go";
