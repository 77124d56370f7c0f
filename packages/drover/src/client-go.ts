/** client-go's tools/cache, util/workqueue, rest, clientcmd, informers and kubernetes under their Go names. All of them are listed in packages/client-go/src/index.ts. */
export * from "@drover/client-go";
